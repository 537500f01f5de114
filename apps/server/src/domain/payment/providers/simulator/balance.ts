import type { BalanceKind } from '@coinslot/contract';
import type { Queryable } from '../../../../db/db.ts';
import type { BalanceEntry, DayRange } from '../base/provider.ts';
import { listEntries } from './charges.sql.ts';

const FEE_PERCENT = 3;

/** What moves the balance, and which way. A reservation moves nothing, and a refund that failed never left. */
const MOVES: Readonly<Record<string, { kind: BalanceKind; sign: 1 | -1 }>> = {
  captured: { kind: 'payment', sign: 1 },
  refunded: { kind: 'refund', sign: -1 },
  disputed: { kind: 'dispute', sign: -1 },
  dispute_won: { kind: 'dispute', sign: 1 },
};

/** The simulator's own account of a day. It pays nothing out. */
export async function entriesOfDay(db: Queryable, environmentId: string, day: DayRange): Promise<BalanceEntry[]> {
  const rows = await listEntries(db, environmentId, day);
  return rows.flatMap(({ paymentId, kind: type, amountMinor, currency, createdAt }) => {
    const move = MOVES[type];
    if (!move) return [];
    const isPayment = move.kind === 'payment';
    return {
      entryId: `${paymentId}:${type}`,
      kind: move.kind,
      type,
      grossMinor: move.sign * amountMinor,
      feeMinor: isPayment ? Math.ceil((amountMinor * FEE_PERCENT) / 100) : 0,
      currency,
      original: null,
      chargeId: paymentId,
      payoutId: null,
      atSeconds: Math.floor(createdAt.getTime() / 1000),
    };
  });
}
