/** A call that waits until the member has proven who they are. The dialog of `ui` asks. */
interface Waiting {
  settle(isProven: boolean): void;
}

let waiting: Waiting | null = null;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

export function onAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const currentlyAsked = (): Waiting | null => waiting;

/** True once it is proven, false when the member closed the dialog. Several calls at once share one dialog. */
export function askAgain(): Promise<boolean> {
  asking ??= new Promise<boolean>(resolve => {
    waiting = {
      settle(isProven) {
        waiting = null;
        asking = null;
        resolve(isProven);
        tell();
      },
    };
    tell();
  });
  return asking;
}
