/**
 * Returns the index that a key moves to in a list of `count`, or undefined for other keys. `at` is -1 while nothing has
 * focus.
 */
export function stepIndex(key: string, at: number, count: number, ends: 'stop' | 'wrap'): number | undefined {
  const last = count - 1;
  if (last < 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowDown') return at >= last ? (ends === 'wrap' ? 0 : last) : at + 1;
  if (key === 'ArrowUp') return at <= 0 ? (ends === 'wrap' ? last : 0) : at - 1;
  return undefined;
}
