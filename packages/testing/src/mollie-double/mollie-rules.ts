import { parseUrl } from '../../../../apps/server/src/kit/parse-url.ts';
import { DoubleFault, type DoublePayment, type MollieStore, type Money, minorOf } from './mollie-store.ts';

type Json = Record<string, unknown>;

/** Methods that the profile of the double has switched on. */
export const ACTIVE: readonly string[] = [
  'creditcard',
  'paypal',
  'ideal',
  'bancontact',
  'blik',
  'przelewy24',
  'eps',
  'kbc',
  'satispay',
  'twint',
  'mbway',
  'klarna',
  'banktransfer',
];

/** For which of them money can be held first. */
const HOLDS: readonly string[] = ['creditcard', 'klarna', 'billie', 'riverty', 'vipps', 'mobilepay'];
const NEEDS_LINES: readonly string[] = ['klarna', 'billie', 'riverty', 'in3', 'voucher'];

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

function checkLines(body: Json, method: string, minor: number): void {
  const lines = body.lines as { quantity: number; unitPrice: Money; totalAmount: Money }[] | undefined;
  if (NEEDS_LINES.includes(method) && !lines) throw new DoubleFault(422, 'The lines are required', 'lines');
  if (NEEDS_LINES.includes(method) && !body.billingAddress) {
    throw new DoubleFault(422, 'The billing address is required', 'billingAddress');
  }
  if (!lines) return;
  for (const { quantity, unitPrice, totalAmount } of lines) {
    if (!Number.isInteger(quantity) || minorOf(unitPrice, 'lines') * quantity !== minorOf(totalAmount, 'lines')) {
      throw new DoubleFault(422, 'The total of a line is not its price times its quantity', 'lines');
    }
  }
  const sum = lines.reduce((total, { totalAmount }) => total + minorOf(totalAmount, 'lines'), 0);
  if (sum !== minor) throw new DoubleFault(422, 'The amount of the lines is not the amount of the payment', 'lines');
}

const MOST_MINOR = 5_000_000;

export function readPayment(body: Json, isToken: boolean): Omit<DoublePayment, 'id' | 'createdAt'> {
  checkFields(body, isToken ? [...PAYMENT_FIELDS, 'profileId', 'testmode'] : PAYMENT_FIELDS);
  if (isToken && !body.profileId) throw new DoubleFault(422, 'The profile is required', 'profileId');
  if (typeof body.description !== 'string') throw new DoubleFault(422, 'The description is required', 'description');
  const { minor, currency } = moneyIn(body, 'amount');
  if (minor < 1) throw new DoubleFault(422, 'The amount is lower than the minimum', 'amount');
  if (minor > MOST_MINOR) throw new DoubleFault(422, 'The amount is higher than the maximum', 'amount');
  const redirectUrl = textIn(body, 'redirectUrl');
  if (!parseUrl(redirectUrl)) throw new DoubleFault(422, 'The redirect URL is required', 'redirectUrl');
  checkWebhook(body.webhookUrl);
  const method = textIn(body, 'method');
  if (!ACTIVE.includes(method)) throw new DoubleFault(422, 'The payment method is not activated', 'method');
  const isManual = body.captureMode === 'manual';
  if (isManual && !HOLDS.includes(method)) {
    throw new DoubleFault(422, 'The capture mode is not supported for this payment method', 'captureMode');
  }
  checkLines(body, method, minor);
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

export function checkCapture({ status, amountMinor, currency }: DoublePayment, body: Json): void {
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
