import type { BalanceKind } from '@coinslot/contract';
import { ProviderFault } from '../base/fault.ts';
import type { BalanceEntry, DayRange } from '../base/provider-day.ts';
import { inRange, type MollieLists, pagesOf, secondsOf } from './day-pages.ts';
import { signedMinor } from './wire/mollie-amount.ts';
import { isOrganizationToken } from './wire/mollie-client.ts';
import type { MollieTransaction } from './wire/mollie-objects.ts';

const DAY_SECONDS = 86_400;
/** A payout has nothing in it that is older: Mollie pays out once a month at the least. */
const LONGEST_DAYS = 62;

const KINDS: Readonly<Record<string, BalanceKind>> = {
  payment: 'payment',
  capture: 'payment',
  refund: 'refund',
  'returned-refund': 'refund',
  chargeback: 'dispute',
  'chargeback-reversal': 'dispute',
  'outgoing-transfer': 'payout',
  'canceled-outgoing-transfer': 'payout',
  'returned-transfer': 'payout',
  'fee-prepayment': 'fee',
};

/** What a transaction is about: Mollie's names, whatever the kind they stand under. */
const factsOf = ({ context = {} }: MollieTransaction): Readonly<Record<string, string | undefined>> =>
  Object.assign({}, ...Object.values(context));

function entryOf(
  transaction: MollieTransaction,
  payoutOf: (transaction: MollieTransaction) => string | null,
): BalanceEntry {
  const { id, type, initialAmount, resultAmount } = transaction;
  const { paymentId, settlementId, transferId } = factsOf(transaction);
  const kind = KINDS[type] ?? 'other';
  const grossMinor = signedMinor(initialAmount);
  return {
    entryId: id,
    kind,
    type,
    grossMinor,
    feeMinor: grossMinor - signedMinor(resultAmount),
    currency: resultAmount.currency,
    original: null,
    chargeId: paymentId ?? null,
    payoutId: kind === 'payout' ? (settlementId ?? transferId ?? null) : payoutOf(transaction),
    atSeconds: secondsOf(transaction),
  };
}

const transactionsOf = (lists: MollieLists): AsyncGenerator<MollieTransaction[]> =>
  pagesOf(lists, '/v2/balances/primary/transactions', 'balance_transactions');

const MEMBERS = ['payments', 'captures', 'refunds', 'chargebacks'] as const;

/** What a settlement is made of, by Mollie's names. A capture stands for its payment. */
async function membersOf(lists: MollieLists, settlementId: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const kind of MEMBERS) {
    for await (const page of pagesOf<{ id: string }>(lists, `/v2/settlements/${settlementId}/${kind}`, kind)) {
      for (const { id } of page) names.add(id);
    }
  }
  return names;
}

const nameOf = (transaction: MollieTransaction): string | null => {
  const { refundId, chargebackId, captureId, paymentId } = factsOf(transaction);
  return refundId ?? chargebackId ?? captureId ?? paymentId ?? null;
};

/** What the day's payouts are made of, from as far back as it takes. */
async function* paidOut(
  lists: MollieLists,
  { fromSeconds, toSeconds }: DayRange,
  settlements: string[],
): AsyncGenerator<BalanceEntry[]> {
  const payouts = new Map<string, string>();
  for (const settlementId of settlements)
    for (const name of await membersOf(lists, settlementId)) payouts.set(name, settlementId);
  const payoutOf = (transaction: MollieTransaction): string | null => payouts.get(nameOf(transaction) ?? '') ?? null;
  const range = { fromSeconds: fromSeconds - LONGEST_DAYS * DAY_SECONDS, toSeconds };
  for await (const page of inRange(transactionsOf(lists), range)) {
    yield page.filter(one => payoutOf(one) !== null).map(one => entryOf(one, payoutOf));
  }
}

/** Nothing with a key that may not read balances, which the test of the connection says. */
export async function* entriesOf(lists: MollieLists, range: DayRange): AsyncGenerator<BalanceEntry[]> {
  if (!isOrganizationToken(lists.account)) return;
  const settlements: string[] = [];
  try {
    for await (const page of inRange(transactionsOf(lists), range)) {
      for (const one of page) {
        const { settlementId } = factsOf(one);
        if (one.type === 'outgoing-transfer' && settlementId) settlements.push(settlementId);
      }
      yield page.map(one => entryOf(one, () => null));
    }
    if (settlements.length > 0) yield* paidOut(lists, range, settlements);
  } catch (error) {
    if (!(error instanceof ProviderFault && error.accountProblem)) throw error;
  }
}
