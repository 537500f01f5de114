import type { BalanceKind } from '@coinslot/contract';
import { parseUrl } from '../../../../kit/parse-url.ts';
import { isObject } from '../base/callbacks.ts';
import { ProviderFault } from '../base/fault.ts';
import type { OpenedAccount } from '../base/provider.ts';
import {
  type BalanceEntry,
  type DayRange,
  eachPage,
  type ListedCharge,
  type ProviderDay,
} from '../base/provider-day.ts';
import { chargeOfPayment } from './charge-of-payment.ts';
import { signedMinor } from './wire/mollie-amount.ts';
import { isOrganizationToken, type MollieClient, profileOf } from './wire/mollie-client.ts';
import type {
  MollieChargeback,
  MolliePage,
  MolliePayment,
  MollieRefund,
  MollieTransaction,
} from './wire/mollie-objects.ts';

const PAGE = '250';
const DAY_SECONDS = 86_400;
/** A payout has nothing in it that is older: Mollie pays out once a month at the least. */
const LONGEST_DAYS = 62;

const secondsOf = ({ createdAt }: { createdAt: string }): number => Math.floor(Date.parse(createdAt) / 1000);

interface Lists {
  client: MollieClient;
  account: OpenedAccount;
}

/** Page after page, the newest first. */
async function* pagesOf<Entry>(
  { client, account }: Lists,
  path: string,
  key: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<Entry[]> {
  for (let from: string | null = ''; from !== null; ) {
    const page: MolliePage<string, Entry> = await client.call(account, {
      method: 'GET',
      path,
      query: { limit: PAGE, ...query, ...(from !== '' && { from }) },
    });
    const { _embedded: embedded, _links: links } = page;
    yield embedded[key] ?? [];
    from = parseUrl(links.next?.href ?? '')?.searchParams.get('from') ?? null;
  }
}

/** Of a list that begins with the newest: those of the range, and nothing is asked for beyond its beginning. */
async function* inRange<Entry extends { createdAt: string }>(
  pages: AsyncIterable<Entry[]>,
  { fromSeconds, toSeconds }: DayRange,
): AsyncGenerator<Entry[]> {
  for await (const page of pages) {
    yield page.filter(entry => secondsOf(entry) >= fromSeconds && secondsOf(entry) < toSeconds);
    const last = page.at(-1);
    if (!last || secondsOf(last) < fromSeconds) return;
  }
}

const textIn = (mark: unknown, name: string): string | null => {
  const value = isObject(mark) ? mark[name] : null;
  return typeof value === 'string' ? value : null;
};

const HOLDS: readonly string[] = ['pending', 'authorized', 'paid'];

const isAboveZero = (money: { currency: string; value: string } | null | undefined): boolean =>
  money != null && signedMinor(money) > 0;

function listed(payment: MolliePayment): ListedCharge {
  const environmentId = textIn(payment.metadata, 'environment_id');
  const paymentId = textIn(payment.metadata, 'payment_id');
  const ours =
    environmentId !== null && paymentId !== null
      ? { environmentId, paymentId, orderId: textIn(payment.metadata, 'order_id') }
      : null;
  return {
    providerId: payment.id,
    ours,
    isForeign: ours === null,
    holdsMoney: HOLDS.includes(payment.status),
    charge: chargeOfPayment(payment),
    // The list has neither refunds nor chargebacks in it, only their sums.
    isDisputed: isAboveZero(payment.amountChargedBack) || isAboveZero(payment.amountRefunded),
  };
}

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

const transactionsOf = (lists: Lists): AsyncGenerator<MollieTransaction[]> =>
  pagesOf(lists, '/v2/balances/primary/transactions', 'balance_transactions');

const MEMBERS = ['payments', 'captures', 'refunds', 'chargebacks'] as const;

/** What a settlement is made of, by Mollie's names. A capture stands for its payment. */
async function membersOf(lists: Lists, settlementId: string): Promise<Set<string>> {
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
  lists: Lists,
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
async function* entriesOf(lists: Lists, range: DayRange): AsyncGenerator<BalanceEntry[]> {
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

export function mollieDay(client: MollieClient, account: OpenedAccount, range: DayRange): ProviderDay {
  const lists = { client, account };
  const profile = profileOf(account);
  const day = <Entry extends { createdAt: string }>(key: string) =>
    inRange(pagesOf<Entry>(lists, `/v2/${key}`, key, profile), range);
  return {
    payments: () => eachPage(day<MolliePayment>('payments'), page => page.map(listed)),
    refunds: () => eachPage(day<MollieRefund>('refunds'), page => page.map(({ paymentId }) => paymentId)),
    disputes: () => eachPage(day<MollieChargeback>('chargebacks'), page => page.map(({ paymentId }) => paymentId)),
    entries: () => entriesOf(lists, range),
  };
}
