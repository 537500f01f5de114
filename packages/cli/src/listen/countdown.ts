/** Ends with the given signal, or after that many counts. */
export function countdown(outer: AbortSignal, total: number | undefined): { signal: AbortSignal; count: () => void } {
  const done = new AbortController();
  let left = total ?? Number.POSITIVE_INFINITY;
  return {
    signal: AbortSignal.any([outer, done.signal]),
    count() {
      if (--left <= 0) done.abort();
    },
  };
}
