import { createSlots } from '../kit/collections.ts';

export interface Background {
  add(work: Promise<unknown>, what: string): void;
  /** Waits for all work that was added, and for work that it adds meanwhile. */
  settle(): Promise<void>;
}

/** Runs work after its caller was answered. A worker finds in the rows whatever the work leaves undone. */
export function createBackground(onError: (error: unknown, source: string) => void): Background {
  const running = createSlots<Promise<unknown>>();
  return {
    add(work, what) {
      const watched = work.catch((error: unknown) => onError(error, what)).finally(() => running.clear(slot));
      const slot = running.put(watched);
    },
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Waits for the work, which also goes on after the limit. Rejects if the work fails within the limit. */
export async function waitAtMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
