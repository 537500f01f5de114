import { systemClock } from '../../kit/clock.ts';

/** What has begun and not ended, and for how long. */
export function createUnderWay() {
  const begunMs = new Set<{ at: number }>();
  return {
    size: (): number => begunMs.size,
    oldestMs: (): number => Math.max(0, ...[...begunMs].map(({ at }) => systemClock.nowMs() - at)),
    /** Returns what ends it. */
    begin(): () => void {
      const begun = { at: systemClock.nowMs() };
      begunMs.add(begun);
      return () => void begunMs.delete(begun);
    },
  };
}
