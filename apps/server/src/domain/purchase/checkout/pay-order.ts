import {
  ATTEMPT_LIMITS,
  type Attempts,
  type StartedPayment,
  startPayment,
  TooManyAttemptsError,
} from '../../payment/attempts/start-payment.ts';
import type { AuthorizeRequest, Charge, Gateway, PayWith } from '../../payment/providers/base/gateway.ts';
import { advanceFromAnswer } from '../engine/advance-purchase.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';

export interface PayOrder {
  environmentId: string;
  orderId: string;
  gateway: Gateway;
  method: string;
  email: string | null;
  payWith: PayWith;
  returnUrl: string;
  saveMethod?: boolean;
  /** Made by the page for what was typed; null without script. */
  attemptKey?: string | null;
  /** Whom the player buys from, for pages of the provider. */
  brandName?: string;
  /** Who pays, for the limits of declined attempts; without it only the order's holds. */
  payer?: Pick<Attempts, 'isLive' | 'payerNetwork'>;
}

/** Null: the provider did not say. The row keeps its date, and a worker asks. */
async function authorize(shop: PurchaseShop, gateway: Gateway, request: AuthorizeRequest): Promise<Charge | null> {
  try {
    return await gateway.authorize(request);
  } catch (error) {
    shop.background(Promise.reject(error), 'authorize');
    return null;
  }
}

/** The attempt is on record: from here on the page shows what becomes of it, and a worker goes on if this process dies. */
export interface BegunPayment {
  /** Settles when the first round is through: paid, declined, challenged, or asked without an answer yet. */
  outcome: Promise<void>;
}

/** Authorize, ask, capture. Resolves when the attempt is on record. Another that is under way already has its own outcome. */
export async function payOrder(shop: PurchaseShop, input: PayOrder): Promise<BegunPayment> {
  const started = await startPayment(shop, {
    ...input,
    leaseSeconds: LEASE_SECONDS,
    gateway: input.gateway.name,
    attempts: { limits: shop.attemptLimits ?? ATTEMPT_LIMITS, isLive: false, payerNetwork: null, ...input.payer },
  });
  if (started.kind === 'limited') throw new TooManyAttemptsError(started.waitSeconds);
  const outcome = started.kind === 'refused' ? Promise.resolve() : askToPay(shop, input, started);
  // It may fail before the caller waits for it.
  outcome.catch(() => {});
  return { outcome };
}

async function askToPay(
  shop: PurchaseShop,
  input: PayOrder,
  { order, payment }: Extract<StartedPayment, { kind: 'started' }>,
): Promise<void> {
  const charge = await authorize(shop, input.gateway, {
    environmentId: payment.environmentId,
    paymentId: payment.id,
    orderId: payment.orderId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payWith: input.payWith,
    returnUrl: input.returnUrl,
    playerId: payment.playerId,
    email: input.email,
    saveMethod: input.saveMethod ?? false,
    locale: order.details.locale,
    brandName: input.brandName ?? null,
  });
  if (charge) await advanceFromAnswer(shop, payment, { kind: 'holds', charge });
}
