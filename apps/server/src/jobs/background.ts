import { createSlots } from '../kit/collections.ts';

export interface Background {
  add(work: Promise<unknown>, what: string): void;
  /** Waits for everything that was begun, and for what that begins. */
  settle(): Promise<void>;
}

/** Work that goes on after its caller was answered. What it leaves undone, a worker finds in the rows. */
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

/** Waits for work that goes on either way. Rejects if it fails within the time. */
export async function waitAtMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
