import { isObject } from '../base/callbacks.ts';
import type { OpenedAccount } from '../base/provider.ts';
import { type DayRange, eachPage, type ListedCharge, type ProviderDay } from '../base/provider-day.ts';
import { entriesOf } from './balance-entries.ts';
import { chargeOfPayment } from './charge-of-payment.ts';
import { inRange, pagesOf } from './day-pages.ts';
import { signedMinor } from './wire/mollie-amount.ts';
import { type MollieClient, profileOf } from './wire/mollie-client.ts';
import type { MollieChargeback, MolliePayment, MollieRefund } from './wire/mollie-objects.ts';

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
