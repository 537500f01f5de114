/** A call that waits until the member has confirmed who they are. `ReauthenticateDialog` shows the prompt. */
interface Prompt {
  settle(isProven: boolean): void;
}

let prompt: Prompt | null = null;
let answer: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

export function onPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const currentPrompt = (): Prompt | null => prompt;

/**
 * Resolves to true once the member has confirmed and to false if they closed the dialog. Concurrent calls share one
 * dialog.
 */
export function reauthenticate(): Promise<boolean> {
  answer ??= new Promise<boolean>(resolve => {
    prompt = {
      settle(isProven) {
        prompt = null;
        answer = null;
        resolve(isProven);
        notify();
      },
    };
    notify();
  });
  return answer;
}
