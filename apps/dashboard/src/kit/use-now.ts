import { useSyncExternalStore } from 'react';

const STEP_MS = 15_000;
let now = Math.floor(Date.now() / 1_000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  timer ??= setInterval(() => {
    now = Math.floor(Date.now() / 1_000);
    for (const listener of listeners) listener();
  }, STEP_MS);
  return () => {
    listeners.delete(onChange);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Unix seconds from one clock for the whole page, which ticks every 15 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
