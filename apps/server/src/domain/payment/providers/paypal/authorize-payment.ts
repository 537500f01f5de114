import type { AuthorizeRequest, Charge } from '../base/gateway.ts';
import type { OpenedAccount } from '../base/provider.ts';
import {
  findCustomer,
  findProviderCharge,
  insertProviderCharge,
  updateChargeNever,
  upsertRefusedCharge,
} from '../base/provider-charge.sql.ts';
import { updateChargeMade } from '../base/provider-steps.sql.ts';
import { declinedCharge, type No, ours, waitingCharge } from './charge-of-payment.ts';
import { callPaypal, type Found, keepSeen, type PaypalDeps } from './paypal-context.ts';
import { refusalOf, shopProblemOf } from './paypal-problem.ts';
import { authorizeOrder } from './read-payment.ts';
import { PAYPAL_CURRENCIES, toPaypalMoney } from './wire/paypal-amount.ts';
import { PAYPAL, PaypalFault, TIMEOUTS_MS } from './wire/paypal-client.ts';
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
  amount,
});

interface Wish {
  save: boolean;
  customerId: string | null;
}

function sourceOf(request: AuthorizeRequest, { save, customerId }: Wish) {
  const attributes = {
    ...(customerId !== null && { customer: { id: customerId } }),
    vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' },
  };
  return { paypal: { experience_context: experienceOf(request), ...(save && { attributes }) } };
}

const bodyFor = (request: AuthorizeRequest, amount: PaypalMoney, wish: Wish) => ({
  intent: 'AUTHORIZE',
  purchase_units: [purchaseUnit(request, amount)],
  // A saved method is named when the order is authorized: so making it moves no money, whatever becomes of the answer.
  ...(request.payWith.kind === 'redirect' && { payment_source: sourceOf(request, wish) }),
});

/** Accounts that may not save methods take the payment all the same. */
const CANNOT_SAVE: readonly string[] = ['NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE', 'NOT_AUTHORIZED', 'PERMISSION_DENIED'];

async function makeOrder(
  deps: PaypalDeps,
  account: OpenedAccount,
  request: AuthorizeRequest,
  amount: PaypalMoney,
): Promise<PaypalOrder> {
  const { environmentId, paymentId, playerId, saveMethod = false } = request;
  const { accountId } = account;
  const known = playerId === undefined ? null : await findCustomer(deps.db, { environmentId, playerId, accountId });
  const wish = { save: saveMethod && playerId !== undefined, customerId: known?.customerId ?? null };
  const post = (body: object, requestId: string): Promise<PaypalOrder> =>
    callPaypal(deps, { environmentId, account }, 'an order', {
      method: 'POST',
      path: '/v2/checkout/orders',
      body,
      requestId,
      timeoutMs: TIMEOUTS_MS.charge,
    });
  try {
    return await post(bodyFor(request, amount, wish), paymentId);
  } catch (error) {
    if (!wish.save || !(error instanceof PaypalFault) || !CANNOT_SAVE.includes(error.issue)) throw error;
    return post(bodyFor(request, amount, { ...wish, save: false }), `${paymentId}-plain`);
  }
}

const factsFor = ({ amountMinor, currency }: AuthorizeRequest, orderId = '') => ({ amountMinor, currency, orderId });

/** Kept beside the payment, so that a member reads PayPal's code, parameter and request id there. */
async function refused(
  deps: PaypalDeps,
  { accountId }: OpenedAccount,
  request: AuthorizeRequest,
  fault: PaypalFault,
): Promise<Charge> {
  const refusal = refusalOf(fault);
  const no: No = { code: refusal.whose === 'bank' ? refusal.code : shopProblemOf(fault), refusal };
  await updateChargeNever(deps.db, request);
  await upsertRefusedCharge(deps.db, { ...request, provider: PAYPAL, accountId, customerId: null }, refusal);
  deps.onRefusal(request, refusal);
  return declinedCharge(factsFor(request), no);
}

/** The order is on record before money can move for it. */
async function goOn(
  deps: PaypalDeps,
  account: OpenedAccount,
  request: AuthorizeRequest,
  order: PaypalOrder,
): Promise<Charge> {
  const facts = factsFor(request, order.id);
  const redirectUrl = request.payWith.kind === 'redirect' ? approvalUrlOf(order) : null;
  const nextAction = redirectUrl === null ? null : { redirectUrl, instructionsUrl: null, expiresAt: null };
  if (!(await updateChargeMade(deps.db, request, { intentId: order.id, nextAction }))) {
    return declinedCharge(facts, ours('given_up'));
  }
  const row = (await findProviderCharge(deps.db, request))!;
  const found: Found = { row: { ...row, intentId: order.id }, account };
  if (request.payWith.kind === 'redirect') return keepSeen(deps, found, waitingCharge(facts, order));
  const token = request.payWith.kind === 'saved_method' ? request.payWith.token : '';
  const source = { paypal: { vault_id: token, experience_context: experienceOf(request) } };
  const charge = await authorizeOrder(deps, found, { payment_source: source });
  return charge ?? declinedCharge(facts, ours('given_up'));
}

/** An order at PayPal: for the player to approve there, or paid at once by what they saved. */
export async function authorizePayment(
  deps: PaypalDeps,
  request: AuthorizeRequest,
  lookUp: (ref: AuthorizeRequest) => Promise<Charge | null>,
): Promise<Charge> {
  const no = (code: Parameters<typeof ours>[0]): Charge => declinedCharge(factsFor(request), ours(code));
  const account = await deps.accounts.current(request.environmentId);
  if (!account) return no('provider_not_connected');
  if (request.payWith.kind !== 'redirect' && request.payWith.kind !== 'saved_method') return no('method_unavailable');
  if (!PAYPAL_CURRENCIES.has(request.currency)) return no('currency_unsupported');
  const amount = toPaypalMoney(request.amountMinor, request.currency);
  if (!amount) return no('amount_not_exact');
  const row = { ...request, provider: PAYPAL, accountId: account.accountId, customerId: null };
  if (!(await insertProviderCharge(deps.db, row))) {
    const there = await findProviderCharge(deps.db, request);
    if (there?.status === 'never') return no('given_up');
    if (there?.status === 'known') return (await lookUp(request)) ?? no('given_up');
  }
  try {
    return await goOn(deps, account, request, await makeOrder(deps, account, request, amount));
  } catch (error) {
    if (error instanceof PaypalFault) return refused(deps, account, request, error);
    throw error;
  }
}
