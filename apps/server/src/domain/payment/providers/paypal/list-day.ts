import type { BalanceKind } from '@coinslot/contract';
import { parseUrl } from '../../../../kit/parse-url.ts';
import type { Charge } from '../base/charge-shape.ts';
import { PLAIN_CHARGE } from '../base/charges.ts';
import type { OpenedAccount } from '../base/provider.ts';
import {
  type BalanceEntry,
  type DayRange,
  eachPage,
  type ListedCharge,
  type ProviderDay,
} from '../base/provider-day.ts';
import { askPage, isoOf, pagesOf } from './transaction-pages.ts';
import { feeIn, listedMinor } from './wire/paypal-amount.ts';
import type { PaypalClient } from './wire/paypal-client.ts';
import type { PaypalDispute, PaypalMoney, PaypalTransaction } from './wire/paypal-objects.ts';

const DISPUTES_PAGE = 50;

type Info = NonNullable<PaypalTransaction['transaction_info']>;

/** T00 is money that came, T11 money that went back. */
const isPayment = ({ transaction_event_code: code = '' }: Info): boolean => code.startsWith('T00');
const isReversal = ({ transaction_event_code: code = '' }: Info): boolean => kindOf(code) === 'dispute';
const isReturn = ({ transaction_event_code: code = '' }: Info): boolean => kindOf(code) === 'refund';

function chargeIn({
  transaction_amount: amount,
  fee_amount: fee,
  transaction_status: status,
  transaction_id: id,
}: Info): Charge {
  return {
    ...PLAIN_CHARGE,
    status: status === 'P' ? 'processing' : 'captured',
    ...(amount && { amountMinor: listedMinor(amount), currency: amount.currency_code }),
    method: 'paypal',
    providerId: id ?? null,
    fee: feeIn(fee),
  };
}

function listed(info: Info): ListedCharge {
  const mark = /^(env_\w+)\.(pay_\w+)$/.exec(info.invoice_id ?? '');
  return {
    providerId: info.transaction_id ?? '',
    ours: mark ? { environmentId: mark[1]!, paymentId: mark[2]!, orderId: null } : null,
    isForeign: !mark,
    // S: done, P: under way. D was denied and V went back.
    holdsMoney: info.transaction_status === 'S' || info.transaction_status === 'P',
    charge: chargeIn(info),
    // PayPal lists no disputes, so the comparison looks each charge up that is not simply done.
    isDisputed: info.transaction_status !== 'S',
  };
}

/** PayPal's event codes by their first letters, the longest that fits counting. */
const KIND_OF: Readonly<Record<string, BalanceKind>> = {
  T00: 'payment',
  T01: 'fee',
  T02: 'conversion',
  T04: 'payout',
  T11: 'refund',
  // Reversals that PayPal or a bank made.
  T1106: 'dispute',
  T12: 'dispute',
};

const kindOf = (code: string): BalanceKind => KIND_OF[code] ?? KIND_OF[code.slice(0, 3)] ?? 'other';

const signed = (money: PaypalMoney): number => listedMinor(money) * (money.value.startsWith('-') ? -1 : 1);

/** Empty: it moved no money yet, or not any more. PayPal gives fees as negative amounts. */
function entryOf(info: Info): BalanceEntry[] {
  const { transaction_id: id, transaction_amount: amount, transaction_status: status, fee_amount: fee } = info;
  if (!id || !amount || status !== 'S') return [];
  const type = info.transaction_event_code ?? '';
  const kind = kindOf(type);
  return [
    {
      entryId: id,
      kind,
      type,
      grossMinor: signed(amount),
      feeMinor: fee ? 0 - signed(fee) : 0,
      currency: amount.currency_code,
      original: null,
      chargeId: kind === 'payment' ? id : (info.paypal_reference_id ?? null),
      payoutId: kind === 'payout' ? id : null,
      atSeconds: Math.floor(Date.parse(info.transaction_initiation_date ?? '') / 1000),
    },
  ];
}

interface DisputePage {
  items?: PaypalDispute[];
  links?: { rel: string; href: string }[];
}

async function* disputedCaptures(
  client: PaypalClient,
  account: OpenedAccount,
  range: DayRange,
): AsyncGenerator<string[]> {
  const query = {
    update_time_after: isoOf(range.fromSeconds),
    update_time_before: isoOf(range.toSeconds),
    page_size: String(DISPUTES_PAGE),
  };
  for (let token: string | null = ''; token !== null; ) {
    const { items = [], links = [] }: DisputePage = await client.call<DisputePage>(account, {
      method: 'GET',
      path: '/v1/customer/disputes',
      query: { ...query, ...(token && { next_page_token: token }) },
    });
    const captures: string[] = [];
    for (const { dispute_id: id } of items) {
      const dispute = await client.call<PaypalDispute>(account, { method: 'GET', path: `/v1/customer/disputes/${id}` });
      for (const { seller_transaction_id: capture } of dispute.disputed_transactions ?? [])
        if (capture) captures.push(capture);
    }
    yield captures;
    const next: string | undefined = links.find(({ rel }) => rel === 'next')?.href;
    token = parseUrl(next ?? '')?.searchParams.get('next_page_token') ?? null;
  }
}

export function paypalDay(client: PaypalClient, account: OpenedAccount, range: DayRange): ProviderDay {
  const pages = <T>(read: (infos: Info[]) => T[]) =>
    eachPage(pagesOf(askPage(client, account), range), page =>
      read(page.flatMap(({ transaction_info: info }) => info ?? [])),
    );
  return {
    payments: () => pages(infos => infos.filter(isPayment).map(listed)),
    refunds: () => pages(infos => infos.filter(isReturn).flatMap(({ paypal_reference_id: id }) => id ?? [])),
    async *disputes() {
      yield* disputedCaptures(client, account, range);
      yield* pages(infos => infos.filter(isReversal).flatMap(({ paypal_reference_id: id }) => id ?? []));
    },
    entries: () => pages(infos => infos.flatMap(entryOf)),
  };
}
