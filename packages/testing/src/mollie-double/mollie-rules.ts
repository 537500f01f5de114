import { parseUrl } from '../../../../apps/server/src/kit/parse-url.ts';
import { DoubleFault, type DoublePayment, type MollieStore, type Money, minorOf } from './mollie-store.ts';

type Json = Record<string, unknown>;

/** What one payment by a method may be: minor units of the currency. */
interface MethodRule {
  currencies?: readonly string[];
  min?: number;
  max?: number;
}

/** By "Key information" of docs.mollie.com/docs/<name>: what Mollie refuses beyond. */
const METHODS: Readonly<Record<string, MethodRule>> = {
  creditcard: { max: 1_000_000 },
  paypal: {},
  ideal: { currencies: ['EUR'], max: 5_000_000 },
  bancontact: { currencies: ['EUR'], min: 2 },
  blik: { currencies: ['PLN'], max: 5_000_000 },
  przelewy24: { currencies: ['EUR', 'PLN'], max: 5_500_000 },
  eps: { currencies: ['EUR'], min: 100, max: 1_000_000 },
  kbc: { currencies: ['EUR'], max: 5_000_000 },
  satispay: { currencies: ['EUR'], max: 5_000_000 },
  twint: { currencies: ['CHF'] },
  mbway: { currencies: ['EUR'], max: 500_000 },
  klarna: { currencies: ['EUR', 'DKK', 'SEK', 'NOK', 'CHF', 'GBP', 'PLN', 'CZK'], min: 100 },
  banktransfer: { currencies: ['EUR'], max: 100_000_000 },
};

/** Methods that the profile of the double has switched on. */
export const ACTIVE: readonly string[] = Object.keys(METHODS);

const takes = (name: string, currency: string): boolean => METHODS[name]!.currencies?.includes(currency) ?? true;

/** Those that take the amount; without one, those that take euros. */
export const listedFor = (currency: string | null): readonly string[] =>
  ACTIVE.filter(name => takes(name, currency ?? 'EUR'));

/** For which of them money can be held first. */
const HOLDS: readonly string[] = ['creditcard', 'klarna', 'billie', 'riverty', 'vipps', 'mobilepay'];
const NEEDS_LINES: readonly string[] = ['klarna', 'billie', 'riverty', 'in3', 'voucher'];
/** "Required for payment methods billie, in3, klarna and riverty", each of them (payment-address in Mollie's OpenAPI document). */
const NEEDS_ADDRESS: readonly string[] = ['klarna', 'billie', 'riverty', 'in3'];
const WHOLE_ADDRESS = ['givenName', 'familyName', 'streetAndNumber', 'postalCode', 'email', 'city', 'country'];

const PAYMENT_FIELDS =
  'description amount redirectUrl cancelUrl webhookUrl lines billingAddress shippingAddress locale method restrictPaymentMethodsToCountry metadata captureMode captureDelay sequenceType'.split(
    ' ',
  );

function checkFields(body: Json, known: readonly string[]): void {
  const unknown = Object.keys(body).find(name => !known.includes(name));
  if (unknown) throw new DoubleFault(422, `Non-existent body parameter "${unknown}" for this API call.`, unknown);
}

const textIn = (body: Json, name: string): string => {
  const value = body[name];
  return typeof value === 'string' ? value : '';
};

function moneyIn(body: Json, field: string): { minor: number; currency: string } {
  const money = body[field] as Money | undefined;
  if (typeof money?.value !== 'string' || typeof money.currency !== 'string') {
    throw new DoubleFault(422, `The ${field} is required`, field);
  }
  const minor = minorOf(money, field);
  return { minor, currency: money.currency };
}

/** Mollie calls it from outside. */
function checkWebhook(url: unknown): void {
  if (typeof url !== 'string') return;
  const hostname = parseUrl(url)?.hostname ?? 'localhost';
  if (hostname === 'localhost' || /^(?:127|10|192\.168)\./.test(hostname)) {
    throw new DoubleFault(
      422,
      'The webhook URL is invalid because it is unreachable from Mollie’s point of view',
      'webhookUrl',
    );
  }
}

function checkAddress(body: Json, method: string): void {
  if (!NEEDS_ADDRESS.includes(method)) return;
  const address = (body.billingAddress ?? {}) as Json;
  const missing = WHOLE_ADDRESS.find(name => textIn(address, name) === '');
  if (missing) throw new DoubleFault(422, `The billing address is missing ${missing}`, `billingAddress.${missing}`);
}

function checkLines(body: Json, method: string, minor: number): void {
  const lines = body.lines as { quantity: number; unitPrice: Money; totalAmount: Money }[] | undefined;
  if (NEEDS_LINES.includes(method) && !lines) throw new DoubleFault(422, 'The lines are required', 'lines');
  if (!lines) return;
  for (const { quantity, unitPrice, totalAmount } of lines) {
    if (!Number.isInteger(quantity) || minorOf(unitPrice, 'lines') * quantity !== minorOf(totalAmount, 'lines')) {
      throw new DoubleFault(422, 'The total of a line is not its price times its quantity', 'lines');
    }
  }
  const sum = lines.reduce((total, { totalAmount }) => total + minorOf(totalAmount, 'lines'), 0);
  if (sum !== minor) throw new DoubleFault(422, 'The amount of the lines is not the amount of the payment', 'lines');
}

export function readPayment(body: Json, isToken: boolean): Omit<DoublePayment, 'id' | 'createdAt'> {
  checkFields(body, isToken ? [...PAYMENT_FIELDS, 'profileId', 'testmode'] : PAYMENT_FIELDS);
  if (isToken && !body.profileId) throw new DoubleFault(422, 'The profile is required', 'profileId');
  if (typeof body.description !== 'string') throw new DoubleFault(422, 'The description is required', 'description');
  const { minor, currency } = moneyIn(body, 'amount');
  const redirectUrl = textIn(body, 'redirectUrl');
  if (!parseUrl(redirectUrl)) throw new DoubleFault(422, 'The redirect URL is required', 'redirectUrl');
  checkWebhook(body.webhookUrl);
  const method = textIn(body, 'method');
  if (!ACTIVE.includes(method)) throw new DoubleFault(422, 'The payment method is not activated', 'method');
  if (!takes(method, currency)) throw new DoubleFault(422, 'The payment method does not take this currency', 'method');
  const { min = 1, max = Number.POSITIVE_INFINITY } = METHODS[method]!;
  if (minor < min) throw new DoubleFault(422, 'The amount is lower than the minimum', 'amount');
  if (minor > max) throw new DoubleFault(422, 'The amount is higher than the maximum', 'amount');
  const isManual = body.captureMode === 'manual';
  if (isManual && !HOLDS.includes(method)) {
    throw new DoubleFault(422, 'The capture mode is not supported for this payment method', 'captureMode');
  }
  checkLines(body, method, minor);
  checkAddress(body, method);
  return {
    status: 'open',
    amountMinor: minor,
    currency,
    description: body.description,
    method,
    metadata: (body.metadata ?? {}) as DoublePayment['metadata'],
    redirectUrl,
    cancelUrl: typeof body.cancelUrl === 'string' ? body.cancelUrl : null,
    webhookUrl: typeof body.webhookUrl === 'string' ? body.webhookUrl : null,
    captureMode: isManual ? 'manual' : 'automatic',
    failureReason: null,
    movements: [],
  };
}

export function checkCapture(store: MollieStore, payment: DoublePayment, body: Json): void {
  const { status, currency } = payment;
  const amountMinor = payment.amountMinor - store.capturedMinor(payment.id);
  checkFields(body, ['description', 'amount', 'metadata']);
  if (status !== 'authorized') throw new DoubleFault(422, 'The payment cannot be captured');
  if (!body.amount) return;
  const asked = moneyIn(body, 'amount');
  if (asked.currency !== currency || asked.minor > amountMinor) {
    throw new DoubleFault(422, 'The amount is higher than the remaining authorized amount', 'amount');
  }
}

export function readRefund(store: MollieStore, payment: DoublePayment, body: Json): number {
  checkFields(body, ['description', 'amount', 'metadata', 'externalReference', 'reverseRouting', 'routingReversals']);
  if (payment.status !== 'paid') throw new DoubleFault(422, 'The payment cannot be refunded');
  const { minor, currency } = moneyIn(body, 'amount');
  const left = payment.amountMinor - store.refundedMinor(payment.id) - store.chargedBackMinor(payment.id);
  if (currency !== payment.currency || minor > left) {
    throw new DoubleFault(422, 'The amount is higher than the maximum', 'amount');
  }
  return minor;
}
