import { invalid } from './double-error.ts';
import { type FormFields, fieldsIn, listIn, textIn } from './form-body.ts';
import type { Token } from './objects.ts';

const MINIMUM: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30, jpy: 50, isk: 50 };
const LARGEST = 99_999_999;
const LARGEST_RUPIAHS = 999_999_999_999;
const HUNDREDS: readonly string[] = ['isk', 'ugx'];
const TENS: readonly string[] = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];

/** Money can be held by these. Asked of the whole intent, every other leaves its list. */
const RESERVING: readonly string[] = [
  'affirm',
  'afterpay_clearpay',
  'alma',
  'amazon_pay',
  'card',
  'cashapp',
  'kakao_pay',
  'klarna',
  'kr_card',
  'link',
  'mobilepay',
  'naver_pay',
  'payco',
  'paypal',
  'revolut_pay',
  'samsung_pay',
  'satispay',
];

/** What a method can be kept for. What is not here cannot be kept. */
const KEPT_FOR: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'acss_debit au_becs_debit bacs_debit boleto card cashapp klarna satispay sepa_debit us_bank_account'
      .split(' ')
      .map(type => [type, ['on_session', 'off_session']]),
  ),
  ...Object.fromEntries(
    'alipay amazon_pay bancontact ideal kakao_pay kr_card link naver_pay paypal revolut_pay twint'
      .split(' ')
      .map(type => [type, ['off_session']]),
  ),
};

/** Stripe takes these only where the browser confirms. */
export const NOT_FROM_SERVER: readonly string[] = ['acss_debit', 'blik'];

export function checkAmount(amount: number, currency: string): void {
  if (amount < (MINIMUM[currency] ?? 1)) {
    throw invalid('Amount is below the minimum.', { code: 'amount_too_small', param: 'amount' });
  }
  if (amount > (currency === 'idr' ? LARGEST_RUPIAHS : LARGEST)) {
    throw invalid('Amount has too many digits.', { code: 'amount_too_large', param: 'amount' });
  }
  const step = HUNDREDS.includes(currency) ? 100 : TENS.includes(currency) ? 10 : 1;
  if (amount % step !== 0) throw invalid(`Invalid amount for ${currency}.`, { param: 'amount' });
}

/** What the intent can be paid with, as it stands. */
export function typesOf(fields: FormFields): string[] {
  if ('payment_method_types' in fields) {
    throw invalid('payment_method_types is not taken any more.', { code: 'payment_method_types_no_longer_supported' });
  }
  const allowed = listIn(fields, 'allowed_payment_method_types');
  return textIn(fields, 'capture_method') === 'manual' ? allowed.filter(type => RESERVING.includes(type)) : allowed;
}

const differ = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) !== JSON.stringify(other.toSorted());

/** A token is good for what the form in the browser was drawn with, and for nothing else. */
export function checkToken(token: Token, drawnWith: readonly string[] | undefined, fields: FormFields): void {
  const types = typesOf(fields);
  if (drawnWith && differ(drawnWith, types)) {
    throw invalid(
      `The provided payment_method_types (${JSON.stringify(types)}) does not match the expected payment_method_types (${JSON.stringify(drawnWith)}).`,
    );
  }
  const future = textIn(fields, 'setup_future_usage');
  if (future !== token.setup_future_usage) {
    throw invalid(
      `The provided setup_future_usage (${future}) does not match the expected setup_future_usage (${token.setup_future_usage}).`,
    );
  }
}

/** Whether a method of this type can pay by what was sent. */
export function checkMethod(type: string, fields: FormFields): void {
  const types = typesOf(fields);
  if (NOT_FROM_SERVER.includes(type)) throw invalid(`${type} cannot be confirmed by the server.`);
  if (types.length > 0 && !types.includes(type)) {
    throw invalid(`The PaymentMethod provided (${type}) is not allowed for this PaymentIntent.`, {
      code: 'payment_intent_incompatible_payment_method',
    });
  }
  const options = fieldsIn(fieldsIn(fields, 'payment_method_options'), type);
  if (textIn(options, 'capture_method') !== null && !RESERVING.includes(type)) {
    throw invalid(`${type} cannot reserve.`, { code: 'parameter_unknown', param: 'payment_method_options' });
  }
  const future = textIn(fields, 'setup_future_usage');
  if (future !== null && !KEPT_FOR[type]?.includes(future)) {
    throw invalid(`${type} cannot be kept for ${future}.`, { param: 'setup_future_usage' });
  }
  if (type === 'wechat_pay' && textIn(options, 'client') === null) {
    throw invalid('client is missing.', { code: 'parameter_missing', param: 'payment_method_options[wechat_pay]' });
  }
  if (textIn(fields, 'return_url') === null) throw invalid('return_url is missing.', { param: 'return_url' });
}

/** What a form would have asked for, and a bare name of a method does not have. */
export function checkBareMethod(data: FormFields): void {
  const type = textIn(data, 'type') ?? '';
  const name = textIn(fieldsIn(data, 'billing_details'), 'name');
  if ((type === 'bancontact' || type === 'eps') && name === null) {
    throw invalid('The name is missing.', { code: 'parameter_missing', param: 'billing_details[name]' });
  }
  if (type === 'fpx' && textIn(fieldsIn(data, 'fpx'), 'bank') === null) {
    throw invalid('The bank is missing.', { code: 'parameter_missing', param: 'payment_method_data[fpx][bank]' });
  }
}

export const isReserving = (type: string, fields: FormFields): boolean =>
  textIn(fields, 'capture_method') === 'manual' ||
  textIn(fieldsIn(fieldsIn(fields, 'payment_method_options'), type), 'capture_method') === 'manual';

/** What cannot be said together. */
export function checkTogether(fields: FormFields): void {
  const ways = ['confirmation_token', 'payment_method', 'payment_method_data'].filter(name => name in fields);
  if (ways.length > 1)
    throw invalid(`You may only specify one of these parameters: ${ways.join(', ')}.`, { param: ways[0] });
  const isConfirmed = textIn(fields, 'confirm') === 'true';
  if (!isConfirmed) {
    for (const param of ['return_url', 'confirmation_token']) {
      if (param in fields) throw invalid(`${param} is only taken with confirm=true.`, { param });
    }
  }
  if (textIn(fields, 'off_session') !== null && (!isConfirmed || textIn(fields, 'setup_future_usage') !== null)) {
    throw invalid('off_session is for a confirmation that keeps nothing.', { param: 'off_session' });
  }
  if (textIn(fields, 'setup_future_usage') !== null && textIn(fields, 'customer') === null) {
    throw invalid('A method is kept for a customer.', { param: 'setup_future_usage' });
  }
}
