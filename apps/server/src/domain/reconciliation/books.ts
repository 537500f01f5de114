import type { PaymentStatus } from '@coinslot/contract';
import { decimalText } from '../../kit/money.ts';
import type { LedgerLine } from '../ledger/ledger.sql.ts';
import { paymentIs } from '../payment/payment.ts';
import type { BookedEntry } from './balance.sql.ts';

/** What moved and what it cost, by currency; what sums to zero is left out. */
type Sums = Readonly<Record<string, number>>;

const FEE_KINDS: readonly string[] = ['fee', 'dispute_fee'];
const MOVING: readonly string[] = ['payment', 'refund', 'dispute'];

function sumOf(parts: readonly (readonly [name: string, currency: string, amountMinor: number])[]): Sums {
  const sums: Record<string, number> = {};
  for (const [name, currency, amountMinor] of parts) {
    const key = `${name} ${currency}`;
    sums[key] = (sums[key] ?? 0) + amountMinor;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

const ourSums = (lines: readonly LedgerLine[]): Sums =>
  sumOf(
    lines
      .filter(({ account }) => account === 'balance')
      .map(({ kind, currency, amountMinor }) =>
        FEE_KINDS.includes(kind)
          ? (['fees', currency, -amountMinor] as const)
          : (['moved', currency, amountMinor] as const),
      ),
  );

const theirSums = (entries: readonly BookedEntry[]): Sums =>
  sumOf(
    entries.flatMap(({ kind, grossMinor, feeMinor, currency, originalMinor, originalCurrency }) => {
      const moved = ['moved', originalCurrency ?? currency, originalMinor ?? grossMinor] as const;
      const fee = ['fees', currency, kind === 'fee' ? -grossMinor : feeMinor] as const;
      return MOVING.includes(kind) ? [moved, fee] : [fee];
    }),
  );

const textOf = (sums: Sums): string =>
  Object.entries(sums)
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([key, amountMinor]) => {
      const [name, currency] = key.split(' ') as [string, string];
      return `${name} ${decimalText(Math.abs(amountMinor), currency).replace(/^/, amountMinor < 0 ? '-' : '')} ${currency}`;
    })
    .join(', ') || 'nothing moved';

export interface PaymentBooks {
  status: PaymentStatus;
  lines: readonly LedgerLine[];
  entries: readonly BookedEntry[];
  /** Since when the provider's books are kept here; null: not yet. */
  keptSince: Date | null;
}

/**
 * What our ledger and the provider's balance say of one payment, to the cent; null: the same. What the provider captured while
 * the game is still asked is not ours yet, and what it booked before its books were kept here cannot be compared. Nor can a refund
 * that the bank works on: providers book it when it is made, and the ledger when it has arrived.
 */
export function booksDiffer(books: PaymentBooks): { ours: string; theirs: string } | null {
  const { status, lines, entries, keptSince } = books;
  const begun = Math.min(...lines.map(({ occurredAt }) => occurredAt.getTime()));
  const isKept = keptSince !== null && lines.length > 0 && begun >= keptSince.getTime();
  const isBooked = isKept || entries.some(({ kind }) => kind === 'payment');
  const isReturning = paymentIs(status, 'refund_begun') && paymentIs(status, 'under_way');
  if (paymentIs(status, 'open') || isReturning || !isBooked) return null;
  const [ours, theirs] = [ourSums(lines), theirSums(entries)];
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys].every(key => ours[key] === theirs[key]) ? null : { ours: textOf(ours), theirs: textOf(theirs) };
}
