import type { BalanceKind } from '@coinslot/contract';
import type { Charge } from './charge-shape.ts';

export interface DayRange {
  fromSeconds: number;
  toSeconds: number;
}

/** The provider's list has not reached the end of the day yet. */
export class DayIncomplete extends Error {}

export interface ListedCharge {
  providerId: string;
  /** What we wrote on it; null: it is not ours, or a mark of ours that never was a payment. */
  ours: { environmentId: string; paymentId: string; orderId: string | null } | null;
  /** Another program uses the account too. */
  isForeign: boolean;
  /** Money is held, captured or on its way. */
  holdsMoney: boolean;
  charge: Charge;
  /** The list is incomplete: the charge itself must be asked for. */
  isDisputed: boolean;
}

/** One movement of the provider's balance: money that came, went back, was kept as a fee or went to the bank. */
export interface BalanceEntry {
  entryId: string;
  kind: BalanceKind;
  type: string;
  /** Before the fee, in the balance's currency; negative: it went out. */
  grossMinor: number;
  /** What the provider took; negative: it gave a fee back. */
  feeMinor: number;
  currency: string;
  /** What the player paid, where the provider converted it. */
  original: { amountMinor: number; currency: string } | null;
  /** The provider's name of the charge, or of its capture, that it is about. */
  chargeId: string | null;
  /** Into which payout it went, where the provider says so; of a payout its own name. */
  payoutId: string | null;
  atSeconds: number;
}

/** What a provider has of a day, page after page, so that a day of any length takes the memory of one. */
export interface ProviderDay {
  payments(): AsyncIterable<ListedCharge[]>;
  /** The provider's names of the charges, or of their captures, that were refunded that day. */
  refunds(): AsyncIterable<string[]>;
  disputes(): AsyncIterable<string[]>;
  /** What was booked that day, and all that the day's payouts are made of. Nothing, where the key may not look. */
  entries(): AsyncIterable<BalanceEntry[]>;
}

/** Pages of a provider's list, each read as something else. */
export async function* eachPage<T, U>(pages: AsyncIterable<T[]>, read: (page: T[]) => U[]): AsyncGenerator<U[]> {
  for await (const page of pages) yield read(page);
}
