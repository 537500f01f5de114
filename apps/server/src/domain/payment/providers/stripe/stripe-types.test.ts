import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../methods/method-table.ts';
import { keptFor, STRIPE_ABILITIES, typeOf } from './account/stripe-account.ts';

/**
 * Stripe's own types as the oracle. Calls are checked by the compiler where they are made; what is put together by name is
 * checked here. Each list is complete by its type, so that a new version of the package that changes it does not compile.
 */
type Params = Stripe.PaymentIntentCreateParams;
type Literal<T> = T extends string ? (string extends T ? never : T) : never;
type Options = Stripe.PaymentIntentCreateParams.PaymentMethodOptions;
type TakesManual<T> = T extends { capture_method?: infer C } ? ('manual' extends Literal<C> ? true : never) : never;
type Reserving = {
  [K in keyof Options]-?: true extends TakesManual<Exclude<Options[K], '' | undefined>> ? K : never;
}[keyof Options];

const RESERVING: Record<Reserving, true> = {
  affirm: true,
  afterpay_clearpay: true,
  alma: true,
  amazon_pay: true,
  billie: true,
  card: true,
  card_present: true,
  cashapp: true,
  kakao_pay: true,
  klarna: true,
  kr_card: true,
  link: true,
  mobilepay: true,
  naver_pay: true,
  payco: true,
  paypal: true,
  revolut_pay: true,
  samsung_pay: true,
  satispay: true,
  scalapay: true,
  sequra: true,
  sunbit: true,
};

type KeptFor<T> = T extends { setup_future_usage?: infer F } ? Literal<F> : never;
type Keeping = { [K in keyof Options]-?: KeptFor<Exclude<Options[K], '' | undefined>> };

/** How each method is kept that can be saved, as far as the types allow it. */
const KEEPING: Pick<
  Keeping,
  | 'card'
  | 'link'
  | 'amazon_pay'
  | 'cashapp'
  | 'revolut_pay'
  | 'kakao_pay'
  | 'naver_pay'
  | 'kr_card'
  | 'sepa_debit'
  | 'us_bank_account'
  | 'bacs_debit'
  | 'au_becs_debit'
> = {
  card: 'on_session',
  link: 'off_session',
  amazon_pay: 'off_session',
  cashapp: 'off_session',
  revolut_pay: 'off_session',
  kakao_pay: 'off_session',
  naver_pay: 'off_session',
  kr_card: 'off_session',
  sepa_debit: 'off_session',
  us_bank_account: 'off_session',
  bacs_debit: 'off_session',
  au_becs_debit: 'off_session',
};

type Type = Literal<NonNullable<Params['payment_method_data']>['type']>;

const offered = METHODS.filter(({ id }) => STRIPE_ABILITIES.methods.has(id));

describe('Stripe’s types', () => {
  it.each(offered)('say whether $id can reserve, as the table does', ({ id, canReserve }) => {
    expect(Object.hasOwn(RESERVING, typeOf(id))).toBe(canReserve);
  });

  it('allow each method that can be saved to be kept as it is', () => {
    const kept = METHODS.map(({ id }) => id).filter(id => STRIPE_ABILITIES.changes[id]?.canSave);
    expect(Object.fromEntries(kept.map(id => [id, keptFor(id)]))).toEqual(KEEPING);
  });

  it('know every method that is sent without a form', () => {
    const types = {
      alipay: true,
      amazon_pay: true,
      affirm: true,
      afterpay_clearpay: true,
      alma: true,
      cashapp: true,
      grabpay: true,
      ideal: true,
      kakao_pay: true,
      klarna: true,
      kr_card: true,
      mobilepay: true,
      naver_pay: true,
      p24: true,
      pay_by_bank: true,
      payco: true,
      paypal: true,
      revolut_pay: true,
      samsung_pay: true,
      satispay: true,
      swish: true,
      twint: true,
      zip: true,
    } satisfies Partial<Record<Type, true>>;
    const sent = offered.filter(({ leavesPage }) => leavesPage).map(({ id }) => typeOf(id));
    expect(sent.toSorted()).toEqual(Object.keys(types).toSorted());
  });
});
