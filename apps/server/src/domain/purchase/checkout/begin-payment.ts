import { expectOrder, type LockedOrder } from '../../order/order.sql.ts';
import {
  ATTEMPT_LIMITS,
  type Attempts,
  type StartedPayment,
  startPayment,
  TooManyAttemptsError,
} from '../../payment/attempts/start-payment.ts';
import { callbackUrl } from '../../payment/merchant-accounts/account-secrets.ts';
import { isSettingsAccount } from '../../payment/merchant-accounts/merchant-accounts.ts';
import type { LiveProvider } from '../../payment/methods/live-routing.ts';
import { updatePaymentCheckWithin } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import type { Charge, ChargeStatus } from '../../payment/providers/base/charge-shape.ts';
import {
  type AuthorizeRequest,
  type Gateway,
  OutcomeUnknown,
  type PayWith,
} from '../../payment/providers/base/gateway.ts';
import { isConnectionDown } from '../../payment/providers/base/problems.ts';
import { advanceFromAnswer } from '../engine/advance-purchase.ts';
import { claimOrder } from '../engine/claim-order.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { releaseWhenBack } from '../engine/release-lost.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { type Checkout, checkoutState } from './checkout.ts';
import type { LiveFacts } from './live-facts.ts';
import { forgetIfGone, savedPayable } from './saved-payable.ts';

/** A connection that takes a payment. */
type Taker = Pick<LiveProvider, 'gateway' | 'account'>;

export interface PayOrder {
  environmentId: string;
  orderId: string;
  gateway: Gateway;
  /** Which of the company's accounts at the gateway; absent: the first, or the gateway has none. */
  accountId?: string | undefined;
  method: string;
  email: string | null;
  payWith: PayWith;
  returnUrl: string;
  saveMethod?: boolean;
  /** Made by the page for what was typed; null without script. */
  attemptKey?: string | null;
  brandName?: string;
  /** Who is asked if the gateway is down and has reserved nothing. */
  fallback?: Taker | null;
  /** Who pays, for the limits of declined attempts; without it only the order's holds. */
  payer?: Pick<Attempts, 'isLive' | 'payerNetwork'>;
  /** As the page has just read it. */
  known?: LockedOrder;
}

/** A provider that has just failed to answer is given a moment. */
const CHECK_SOON_SECONDS = 3;

const checkSoon = ({ db }: PurchaseShop, payment: Pick<Payment, 'environmentId' | 'id'>): Promise<void> =>
  db.transaction(async tx => updatePaymentCheckWithin(tx, payment, CHECK_SOON_SECONDS));

/** Null: the provider did not say. The row keeps its date, and a worker asks. */
async function authorize(shop: PurchaseShop, gateway: Gateway, request: AuthorizeRequest): Promise<Charge | null> {
  try {
    return await gateway.authorize(request);
  } catch (error) {
    shop.background(Promise.reject(error), 'authorize');
    const payment = { environmentId: request.environmentId, id: request.paymentId };
    releaseWhenBack(shop, { payment }, error);
    // The call is over, so nothing is left that the lease would keep others from.
    if (error instanceof OutcomeUnknown) shop.background(checkSoon(shop, payment), 'check after no answer');
    return null;
  }
}

/** The attempt is on record: from here on the page shows what becomes of it, and a worker goes on if this process dies. */
interface BegunPayment {
  /**
   * Settles when the first round is through: paid, declined, challenged, or asked without an answer yet. It says what the provider
   * answered when it was asked to reserve the money; null: it did not say, or another attempt is under way.
   */
  outcome: Promise<ChargeStatus | null>;
}

/** Authorize, ask, capture. Resolves when the attempt is on record. Another that is under way already has its own outcome. */
export async function payOrder(shop: PurchaseShop, input: PayOrder): Promise<BegunPayment> {
  const started = await startPayment(shop, {
    environmentId: input.environmentId,
    orderId: input.orderId,
    gateway: input.gateway.name,
    method: input.method,
    email: input.email,
    saveMethod: input.saveMethod,
    attemptKey: input.attemptKey,
    known: input.known,
    leaseSeconds: LEASE_SECONDS,
    attempts: { limits: shop.attemptLimits ?? ATTEMPT_LIMITS, isLive: false, payerNetwork: null, ...input.payer },
  });
  if (started.kind === 'limited') throw new TooManyAttemptsError(started.waitSeconds);
  const outcome = started.kind === 'refused' ? Promise.resolve(null) : askToPay(shop, input, started);
  // It may fail before the caller waits for it.
  outcome.catch(() => {});
  return { outcome };
}

/** Where the account's news come in. Null: the world does not reach it, or no provider takes the payment. */
async function callbackFor(
  { environmentOf, publicUrl }: PurchaseShop,
  { environmentId, gateway }: Payment,
  accountId: string | undefined,
): Promise<string | null> {
  if (accountId === undefined || !publicUrl.startsWith('https://')) return null;
  if (isSettingsAccount(accountId)) return callbackUrl(publicUrl, gateway, null);
  const environment = await environmentOf(environmentId);
  return environment && callbackUrl(publicUrl, gateway, { companyId: environment.companyId, accountId });
}

async function askToPay(
  shop: PurchaseShop,
  input: PayOrder,
  started: Extract<StartedPayment, { kind: 'started' }>,
): Promise<ChargeStatus | null> {
  const { payment } = started;
  const { order } = started.order;
  const charge = await authorize(shop, input.gateway, {
    environmentId: payment.environmentId,
    paymentId: payment.id,
    orderId: payment.orderId,
    accountId: input.accountId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payWith: input.payWith,
    returnUrl: input.returnUrl,
    callbackUrl: await callbackFor(shop, payment, input.accountId),
    playerId: payment.playerId,
    email: input.email,
    saveMethod: input.saveMethod ?? false,
    locale: order.details.locale,
    country: order.details.country,
    address: null,
    brandName: input.brandName ?? null,
    items: order.items.map(({ sku, name, quantity, priceMinor }) => ({ sku, name, quantity, priceMinor })),
  });
  if (!charge) return null;
  await advanceFromAnswer(shop, payment, { kind: 'holds', charge }, { known: { ...started.order, payment } });
  return input.fallback && isNotBegun(charge) ? payElsewhere(shop, input, input.fallback) : charge.status;
}

/** The provider or its account said no before anything was reserved, in a way that says nothing of the player. */
const isNotBegun = ({ status, declinedBy, responseCode }: Charge): boolean =>
  status === 'declined' && declinedBy === 'shop' && isConnectionDown(responseCode);

/** Another connection takes what the player has clicked: once, and as a payment of its own. */
async function payElsewhere(
  shop: PurchaseShop,
  input: PayOrder,
  { gateway, account }: Taker,
): Promise<ChargeStatus | null> {
  const payWith: PayWith = { kind: 'redirect', method: input.method };
  // The form's key stays with the first: the same form sent again is shown what became of it.
  const { known: _known, ...again } = input;
  const { outcome } = await payOrder(shop, {
    ...again,
    gateway,
    accountId: account?.id,
    payWith,
    saveMethod: false,
    attemptKey: null,
    fallback: null,
  });
  return outcome;
}

/** What a player pays with, as the form says it. */
export interface Payable extends Pick<PayOrder, 'method' | 'email' | 'payWith' | 'saveMethod' | 'fallback'> {
  /** Who takes it; undefined in sandbox. */
  by?: Taker;
}

interface BeginPayment<Refused> {
  returnUrl: string;
  attemptKey: string | null;
  /** The method that the player saved before and pays with in one tap; empty: the form below. */
  savedId: string;
  payerNetwork?: string | null;
  /** Read only while the order can be paid. `live` is null in sandbox. */
  readForm: (live: LiveFacts | null) => Payable | { refused: Refused };
}

export type Begun<Refused> =
  /** Another tab was quicker, or the order cannot be paid now: the page shows how it stands. */
  | { kind: 'not_open' }
  | { kind: 'refused'; refused: Refused }
  | { kind: 'saved_gone' }
  | ({ kind: 'begun' } & BegunPayment);

/** The player has sent the form, or tapped what they saved. */
export async function beginPayment<Refused>(
  shop: PurchaseShop,
  checkout: Checkout,
  { returnUrl, attemptKey, savedId, payerNetwork, readForm }: BeginPayment<Refused>,
): Promise<Begun<Refused>> {
  const { order, live, sandbox, gameName: brandName } = checkout;
  if (!(sandbox || live) || checkoutState(checkout) !== 'ready') return { kind: 'not_open' };
  const isSaved = live !== null && savedId !== '';
  const payable = isSaved ? await savedPayable(shop, checkout, { live, id: savedId }) : readForm(live);
  if (!payable) return { kind: 'saved_gone' };
  if ('refused' in payable) return { kind: 'refused', refused: payable.refused };
  const { environmentId, id: orderId } = order;
  const { by, ...paying } = payable;
  const taker = { gateway: by?.gateway ?? shop.simulator, accountId: by?.account?.id };
  const payer = { isLive: !sandbox, payerNetwork: payerNetwork ?? null };
  const known = expectOrder(checkout);
  const what = { environmentId, orderId, returnUrl, attemptKey, brandName, payer, known, ...paying, ...taker };
  const { outcome } = await payOrder(shop, what);
  if (!isSaved) return { kind: 'begun', outcome };
  return { kind: 'begun', outcome: outcome.then(status => forgetIfGone(shop, checkout, savedId).then(() => status)) };
}

/** A free order is claimed in place of paid. */
export function beginClaim<Refused>(
  shop: PurchaseShop,
  checkout: Checkout,
  readForm: () => { email: string | null } | { refused: Refused },
): Exclude<Begun<Refused>, { kind: 'saved_gone' }> {
  if (checkoutState(checkout) !== 'claim') return { kind: 'not_open' };
  const form = readForm();
  if ('refused' in form) return { kind: 'refused', refused: form.refused };
  const { environmentId, id: orderId } = checkout.order;
  // Nothing is charged, so the page may take over the waiting at once.
  return { kind: 'begun', outcome: claimOrder(shop, { environmentId, orderId, ...form }).then(() => null) };
}
