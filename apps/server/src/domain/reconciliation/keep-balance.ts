import type { Db } from '../../db/db.ts';
import type { BalanceEntry } from '../payment/providers/base/provider.ts';
import { listOwnersOfCharges, type OwnedCharge, upsertEntries } from './balance.sql.ts';

export interface KeepBalance {
  accountId: string;
  /** Null: the account of the program's settings. */
  companyId: string | null;
}

/** What the provider booked, each movement with the order that it belongs to. Keeping it twice changes nothing. */
export async function keepBalance(
  db: Db,
  { accountId, companyId }: KeepBalance,
  entries: readonly BalanceEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const chargeIds = entries.flatMap(({ chargeId }) => chargeId ?? []);
  const owners = new Map<string, OwnedCharge>();
  for (const owner of await listOwnersOfCharges(db, accountId, chargeIds)) {
    for (const id of [owner.intentId, owner.captureId]) if (id !== null) owners.set(id, owner);
  }
  const kept = entries.map(entry => {
    const owner = owners.get(entry.chargeId ?? '') ?? null;
    return { ...entry, owner, companyId: owner?.companyId ?? companyId };
  });
  await upsertEntries(db, accountId, kept);
}
