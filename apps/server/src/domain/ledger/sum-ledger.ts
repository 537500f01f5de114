import type { Queryable } from '../../db/db.ts';
import { listLedger } from './ledger.sql.ts';
import type { LedgerAccount, LedgerKind } from './ledger.ts';

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

/** The account whose side of a posting is counted: what came back there counts against it. */
const COUNTED: Partial<Record<LedgerKind, readonly [LedgerAccount, Exclude<keyof LedgerSums, 'feeCurrency'>]>> = {
  authorized: ['reserved', 'authorizedMinor'],
  captured: ['balance', 'capturedMinor'],
  refunded: ['player', 'refundedMinor'],
  refund_failed: ['player', 'refundedMinor'],
  charged_back: ['player', 'disputedMinor'],
  fee: ['fees', 'feeMinor'],
  dispute_fee: ['fees', 'feeMinor'],
};

/** For the transactions export: one read for a page of payments. A payment without entries has nothing in its sums. */
export async function sumLedger(
  db: Queryable,
  environmentId: string,
  paymentIds: string[],
): Promise<Map<string, LedgerSums>> {
  const sums = new Map(paymentIds.map(id => [id, nothing()]));
  for (const { paymentId, kind, account, amountMinor, currency } of await listLedger(db, environmentId, paymentIds)) {
    const sum = sums.get(paymentId)!;
    const [counted, name] = COUNTED[kind] ?? [];
    if (name === undefined || account !== counted) continue;
    sum[name] += amountMinor;
    if (name === 'feeMinor') sum.feeCurrency = currency;
  }
  return sums;
}
