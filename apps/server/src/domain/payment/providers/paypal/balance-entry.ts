import type { BalanceKind } from '@coinslot/contract';
import type { BalanceEntry } from '../base/provider.ts';
import { listedMinor } from './wire/paypal-amount.ts';
import type { PaypalMoney, PaypalTransaction } from './wire/paypal-objects.ts';

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
export function entryOf(info: NonNullable<PaypalTransaction['transaction_info']>): BalanceEntry[] {
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
