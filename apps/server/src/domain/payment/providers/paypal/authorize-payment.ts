import type { Charge } from '../base/charge-shape.ts';
import { type Decline, declinedCharge, shopDecline } from '../base/charges.ts';
import { busyDecline, ProviderFault } from '../base/fault.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';
import type { ShopProblem } from '../base/problems.ts';
import { findProviderCharge, updateChargeMade } from '../base/provider-charge.sql.ts';
import { findCustomer } from '../base/provider-customer.sql.ts';
import { plain, waitingCharge } from './charge-of-payment.ts';
import { itemized } from './items-of-payment.ts';
import type { PaypalSession } from './paypal-charge.ts';
import { authorizeOrder } from './read-payment.ts';
import { PAYPAL_CURRENCIES, toPaypalMoney } from './wire/paypal-amount.ts';
import { TIMEOUTS_MS } from './wire/paypal-client.ts';
import { approvalUrlOf, type PaypalMoney, type PaypalOrder } from './wire/paypal-objects.ts';

/** What PayPal takes as a language: `de`, `de-AT`, `zh-Hant-TW`. */
const LOCALE = /^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/;
const LONGEST_BRAND = 127;

function experienceOf({ returnUrl, locale, brandName }: AuthorizeRequest) {
  const brand = brandName?.trim().slice(0, LONGEST_BRAND);
  return {
    ...(brand && { brand_name: brand }),
    ...(locale && LOCALE.test(locale) && { locale }),
    shipping_preference: 'NO_SHIPPING',
    user_action: 'PAY_NOW',
    // A bank transfer that arrives in days would hold a reservation that cannot be captured when the game says yes.
    payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
    return_url: `${returnUrl}/return`,
    cancel_url: `${returnUrl}/cancel`,
  };
}

/** What we write on it, so that a callback and a list of a day lead back to the payment. */
export const markOf = ({ environmentId, paymentId }: { environmentId: string; paymentId: string }): string =>
  `${environmentId}.${paymentId}`;

const purchaseUnit = (request: AuthorizeRequest, amount: PaypalMoney) => ({
  reference_id: request.orderId,
  description: `Order ${request.orderId}`,
  custom_id: request.paymentId,
  invoice_id: markOf(request),
  ...itemized(request, amount),
});

interface KeepOptions {
  save: boolean;
  customerId: string | null;
}

function sourceOf(request: AuthorizeRequest, { save, customerId }: KeepOptions) {
  const attributes = {
    ...(customerId !== null && { customer: { id: customerId } }),
    vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' },
  };
  return { paypal: { experience_context: experienceOf(request), ...(save && { attributes }) } };
}

const bodyFor = (request: AuthorizeRequest, amount: PaypalMoney, keep: KeepOptions) => ({
  intent: 'AUTHORIZE',
  purchase_units: [purchaseUnit(request, amount)],
  // A saved method is named when the order is authorized: so making it moves no money, whatever becomes of the answer.
  ...(request.payWith.kind === 'redirect' && { payment_source: sourceOf(request, keep) }),
});

/** Accounts that may not save methods take the payment all the same. */
const CANNOT_SAVE: readonly string[] = ['NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE', 'NOT_AUTHORIZED', 'PERMISSION_DENIED'];

async function makeOrder(
  { db, account: { accountId }, call }: PaypalSession,
  request: AuthorizeRequest,
  amount: PaypalMoney,
): Promise<PaypalOrder> {
  const { environmentId, paymentId, playerId, saveMethod = false } = request;
  const known = playerId === undefined ? null : await findCustomer(db, { environmentId, playerId, accountId });
  const keep = { save: saveMethod && playerId !== undefined, customerId: known?.customerId ?? null };
  const post = (body: object, requestId: string): Promise<PaypalOrder> =>
    call('an order', api =>
      api({ method: 'POST', path: '/v2/checkout/orders', body, requestId, timeoutMs: TIMEOUTS_MS.charge }),
    );
  try {
    return await post(bodyFor(request, amount, keep), paymentId);
  } catch (error) {
    if (!keep.save || !(error instanceof ProviderFault) || !CANNOT_SAVE.includes(error.code)) throw error;
    return post(bodyFor(request, amount, { ...keep, save: false }), `${paymentId}-plain`);
  }
}

export interface Prepared {
  amount: PaypalMoney;
  /** PayPal names a customer only when a method was kept. */
  customerId: null;
}

export async function preparePayment(_: PaypalSession, request: AuthorizeRequest): Promise<Prepared | ShopProblem> {
  const { payWith, currency, amountMinor } = request;
  if (payWith.kind !== 'redirect' && payWith.kind !== 'saved_method') return 'method_unavailable';
  if (!PAYPAL_CURRENCIES.has(currency)) return 'currency_unsupported';
  const amount = toPaypalMoney(amountMinor, currency);
  return amount ? { amount, customerId: null } : 'amount_not_exact';
}

/** An order at PayPal, on record before money can move for it: for the player to approve there, or paid at once by what they saved. */
export async function createPayment(
  session: PaypalSession,
  request: AuthorizeRequest,
  { amount }: Prepared,
): Promise<Charge | { declined: Decline }> {
  // No money moves for an order that the player was never sent to, and none for one that was not authorized.
  const order = await makeOrder(session, request, amount).catch((error: unknown) => {
    const declined = error instanceof ProviderFault ? null : busyDecline(error);
    if (declined) return { declined };
    throw error;
  });
  if ('declined' in order) return order;
  const facts = { amountMinor: request.amountMinor, currency: request.currency, orderId: order.id };
  const { payWith } = request;
  const redirectUrl = payWith.kind === 'redirect' ? approvalUrlOf(order) : null;
  const nextAction = redirectUrl === null ? null : { redirectUrl, instructionsUrl: null, expiresAt: null };
  const isMade = await updateChargeMade(session.db, request, { intentId: order.id, nextAction });
  const givenUp = declinedCharge(plain(facts), shopDecline('given_up'));
  if (!isMade) return givenUp;
  if (payWith.kind === 'redirect') return session.keep(request, waitingCharge(facts, order));
  const row = (await findProviderCharge(session.db, request))!;
  const token = payWith.kind === 'saved_method' ? payWith.token : '';
  const source = { paypal: { vault_id: token, experience_context: experienceOf(request) } };
  const found = { ...session, row: { ...row, intentId: order.id } };
  return (await authorizeOrder(found, { payment_source: source })) ?? givenUp;
}
