const LEAST_MS = 1_000;
const MOST_IN_A_SECOND = 200;

let waiting = 0;

/** Called when a wait begins; what it returns, when it ends. */
export function beginWait(): () => void {
  waiting++;
  let isOver = false;
  return () => {
    if (!isOver) waiting--;
    isOver = true;
  };
}

/**
 * How long a wait sleeps before it looks for news unasked. A signal wakes it at once; the look is for a signal that was lost. All waits
 * of a process together look so often at most, so that a caller who waits a thousand times takes no time from the orders of others
 * (row 278).
 */
export const lookAgainMs = (): number => Math.max(LEAST_MS, (waiting / MOST_IN_A_SECOND) * 1000);
