import { useSyncExternalStore } from 'react';

const STEP_MS = 15_000;
let now = Math.floor(Date.now() / 1_000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(heard: () => void): () => void {
  listeners.add(heard);
  timer ??= setInterval(() => {
    now = Math.floor(Date.now() / 1_000);
    for (const tell of listeners) tell();
  }, STEP_MS);
  return () => {
    listeners.delete(heard);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Unix seconds, from one clock for the whole page that ticks every 15 s. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
