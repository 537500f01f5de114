export interface PoolSizes {
  doors: number;
  /** Pools of their own, so that a flood at the doors cannot starve a capture. */
  money: number;
  provider: number;
  /** Lists, exports and roll-ups, under longer limits than the money path. */
  report: number;
}

const SHARES: PoolSizes = { doors: 12, money: 12, provider: 8, report: 6 };
/** Hears what other processes announce. */
const LISTENING = 1;

/** One total, shared out by a fixed rule. Never more than the total, and at least one for each. */
export function shareConnections(total: number): PoolSizes {
  const whole = SHARES.doors + SHARES.money + SHARES.provider + SHARES.report;
  const of = (share: number): number => Math.max(1, Math.floor(((total - LISTENING) * share) / whole));
  return { doors: of(SHARES.doors), money: of(SHARES.money), provider: of(SHARES.provider), report: of(SHARES.report) };
}
