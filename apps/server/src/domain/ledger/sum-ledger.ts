import type { Queryable } from '../../db/db.ts';
import { listLedger } from './ledger.sql.ts';

/** What a payment's money did, as an export or a page shows it. All amounts are positive. */
export interface LedgerSums {
  authorizedMinor: number;
  capturedMinor: number;
  refundedMinor: number;
  disputedMinor: number;
  feeMinor: number;
  /** The provider's currency; null while no fee is known. */
  feeCurrency: string | null;
}

const nothing = (): LedgerSums => ({
  authorizedMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  disputedMinor: 0,
  feeMinor: 0,
  feeCurrency: null,
});

const COUNTED = {
  authorized: 'authorizedMinor',
  captured: 'capturedMinor',
  refunded: 'refundedMinor',
  charged_back: 'disputedMinor',
} as const;

/** For the transactions export: one read for a page of payments. A payment without entries has nothing in its sums. */
export async function sumLedger(
  db: Queryable,
  environmentId: string,
  paymentIds: string[],
): Promise<Map<string, LedgerSums>> {
  const sums = new Map(paymentIds.map(id => [id, nothing()]));
  for (const { paymentId, kind, amountMinor, currency } of await listLedger(db, environmentId, paymentIds)) {
    const sum = sums.get(paymentId)!;
    // Each posting has two sides; the one that money enters is counted.
    if (amountMinor < 0) continue;
    if (kind === 'fee') {
      sum.feeMinor += amountMinor;
      sum.feeCurrency = currency;
    } else if (kind in COUNTED) sum[COUNTED[kind as keyof typeof COUNTED]] += amountMinor;
  }
  return sums;
}
