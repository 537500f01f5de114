import type { AuthorizeRequest, Charge, Gateway, PayWith } from '../../payment/providers/base/gateway.ts';
import { ATTEMPT_LIMITS, type Attempts, startPayment, TooManyAttemptsError } from '../../payment/start-payment.ts';
import { advanceFromAnswer } from '../engine/advance-purchase.ts';
import { orderKey, type PurchaseDeps } from '../engine/purchase-deps.ts';
import { emit } from '../engine/save-purchase.ts';
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
  /** The attempt is on record: from here on the page tells what becomes of it. */
  onBegun?: () => void;
}

/** Null: the provider did not say. The row keeps its date, and a worker asks. */
async function authorize(deps: PurchaseDeps, gateway: Gateway, request: AuthorizeRequest): Promise<Charge | null> {
  try {
    return await gateway.authorize(request);
  } catch (error) {
    deps.background(Promise.reject(error), 'authorize');
    return null;
  }
}

/**
 * Authorize, ask, capture. Resolves when the first round is through: paid, declined, challenged, or asked without an
 * answer yet. Whatever happens to this process on the way, a worker goes on from the rows.
 */
export async function payOrder(deps: PurchaseDeps, input: PayOrder): Promise<void> {
  const { environmentId, orderId, gateway } = input;
  const started = await startPayment(
    deps,
    {
      leaseSeconds: LEASE_SECONDS,
      signalKey: orderKey(orderId),
      ...input,
      gateway: gateway.name,
      attempts: {
        limits: deps.attemptLimits ?? ATTEMPT_LIMITS,
        isLive: false,
        payerNetwork: null,
        ...input.payer,
      },
    },
    (tx, order, payment) => emit(tx, { order, payment }, ['payment.pending']),
  );
  if (started.kind === 'limited') throw new TooManyAttemptsError(started.waitSeconds);
  input.onBegun?.();
  if (started.kind === 'refused') return;
  const { payment } = started;
  const charge = await authorize(deps, gateway, {
    environmentId,
    paymentId: payment.id,
    orderId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payWith: input.payWith,
    returnUrl: input.returnUrl,
    playerId: payment.playerId,
    email: input.email,
    saveMethod: input.saveMethod ?? false,
    locale: started.order.details.locale,
    brandName: input.brandName ?? null,
  });
  if (charge) await advanceFromAnswer(deps, payment, { kind: 'holds', charge });
}
