import type { Db, Queryable } from '../../db/db.ts';
import { listLedger } from '../ledger/ledger.sql.ts';
import { rollUpLedger } from '../ledger/roll-up-ledger.ts';
import type { BalanceEntry } from '../payment/providers/base/provider-day.ts';
import type { PurchaseShop } from '../purchase/engine/purchase.ts';
import { syncPayment } from '../purchase/engine/sync-payment.ts';
import {
  findKeptSince,
  listBooked,
  listBookedPayments,
  listOwnersOfCharges,
  type OwnedCharge,
  upsertEntries,
} from './balance.sql.ts';
import { booksDiffer } from './books.ts';
import { insertDifference } from './difference.sql.ts';
import { listOursByPayment, type OurRow } from './our-purchases.sql.ts';

const BATCH = 100;
/** The provider's clock and ours may put a movement on two days: what moved so late is compared on the next one. */
const LATE_MS = 3_600_000;

export interface KeepBalance {
  accountId: string;
  /** Null: the account of the program's settings. */
  companyId: string | null;
}

/** An amount that no column can hold costs its own entry and not the day; its payment then differs, by name. */
const isStorable = ({ grossMinor, feeMinor, original }: BalanceEntry): boolean =>
  [grossMinor, feeMinor, original?.amountMinor ?? 0].every(Number.isSafeInteger);

/** What the provider booked, each movement with the order that it belongs to. Keeping it twice changes nothing. */
export async function keepBalance(
  db: Db,
  { accountId, companyId }: KeepBalance,
  listed: readonly BalanceEntry[],
): Promise<void> {
  const entries = listed.filter(isStorable);
  if (entries.length === 0) return;
  const chargeIds = entries.flatMap(({ chargeId }) => chargeId ?? []);
  const owners = new Map<string, OwnedCharge>();
  for (const owner of await listOwnersOfCharges(db, accountId, chargeIds)) {
    for (const id of [owner.intentId, owner.captureId]) if (id !== null) owners.set(id, owner);
  }
  const kept = entries.map(({ chargeId, original, atSeconds, ...entry }) => {
    const owner = owners.get(chargeId ?? '');
    return {
      ...entry,
      accountId,
      companyId: owner?.companyId ?? companyId,
      originalMinor: original?.amountMinor ?? null,
      originalCurrency: original?.currency ?? null,
      environmentId: owner?.environmentId ?? null,
      paymentId: owner?.paymentId ?? null,
      orderId: owner?.orderId ?? null,
      occurredAt: new Date(atSeconds * 1000),
    };
  });
  await upsertEntries(db, kept);
}

export interface BooksOfDay {
  accountId: string;
  day: string;
  from: Date;
  to: Date;
  goOn: () => Promise<void>;
}

async function rollUp({ db }: Pick<PurchaseShop, 'db'>): Promise<void> {
  while (await rollUpLedger({ db }));
}

type Span = BooksOfDay & { keptSince: Date | null };

async function differOf(db: Queryable, day: Span, { environmentId, paymentId, status }: OurRow) {
  const { accountId, to, keptSince } = day;
  const lines = await listLedger(db, environmentId, [paymentId]);
  const entries = await listBooked(db, accountId, [paymentId]);
  const isLate = [...lines, ...entries].some(({ occurredAt }) => occurredAt.getTime() >= to.getTime() - LATE_MS);
  return isLate ? null : booksDiffer({ status, lines, entries, keptSince });
}

/** For each payment that the provider or our ledger booked something for: one against the other. Answers how many differ. */
export async function compareBooks(shop: PurchaseShop, input: BooksOfDay): Promise<number> {
  const { db } = shop;
  const { accountId } = input;
  const day = { ...input, keptSince: await findKeptSince(db, accountId) };
  const from = new Date(day.from.getTime() - LATE_MS);
  await rollUp(shop);
  const refs = await listBookedPayments(db, accountId, { from, to: day.to });
  let differences = 0;
  for (let at = 0; at < refs.length; at += BATCH) {
    await day.goOn();
    for (const row of await listOursByPayment(db, accountId, refs.slice(at, at + BATCH))) {
      if (!(await differOf(db, day, row))) continue;
      // A fee or a dispute that was not heard of is heard of now.
      await syncPayment(shop, row).catch(() => {});
      await rollUp(shop);
      const [now = row] = await listOursByPayment(db, accountId, [row]);
      const still = await differOf(db, day, now);
      if (!still) continue;
      differences++;
      const { companyId, environmentId, paymentId, orderId, intentId: providerId } = now;
      const about = { companyId, accountId, day: day.day, providerId, environmentId, paymentId, orderId };
      await insertDifference(db, { ...about, kind: 'books_differ', subject: paymentId, state: 'open', ...still });
    }
  }
  return differences;
}
