import type { Charge } from '../base/charge-shape.ts';
import { type Decline, declinedCharge, shopDecline } from '../base/charges.ts';
import { busyDecline, ProviderFault } from '../base/fault.ts';
import type { AuthorizeRequest } from '../base/gateway.ts';
import type { ShopProblem } from '../base/problems.ts';
import { updateChargeMade } from '../base/provider-charge.sql.ts';
import type { AccountSession } from '../base/session.ts';
import { voidedCharge, waitingCharge } from './charge-of-payment.ts';
import { isReserved, mollieNameOf } from './mollie-methods.ts';
import { type MethodName, paymentBody } from './payment-body.ts';
import { MOLLIE_CURRENCIES } from './wire/mollie-amount.ts';
import { type MollieApi, profileOf, TIMEOUTS_MS } from './wire/mollie-client.ts';
import type { MolliePayment } from './wire/mollie-objects.ts';

type Session = AccountSession<MollieApi>;

export interface Prepared {
  method: string;
  name: MethodName;
  customerId: null;
}

export async function preparePayment(
  _: Session,
  { payWith, currency }: AuthorizeRequest,
): Promise<Prepared | ShopProblem> {
  const name = payWith.kind === 'redirect' ? mollieNameOf(payWith.method) : null;
  if (payWith.kind !== 'redirect' || name === null) return 'method_unavailable';
  return MOLLIE_CURRENCIES.has(currency) ? { method: payWith.method, name, customerId: null } : 'currency_unsupported';
}

async function makePayment(
  session: Session,
  request: AuthorizeRequest,
  { method, name }: Prepared,
): Promise<MolliePayment> {
  const body = { ...paymentBody(request, name, isReserved(method)), ...profileOf(session.account) };
  const post = (sent: object, key: string): Promise<MolliePayment> =>
    session.call('a payment', api =>
      api({ method: 'POST', path: '/v2/payments', body: sent, key, timeoutMs: TIMEOUTS_MS.charge }),
    );
  try {
    return await post(body, request.paymentId);
  } catch (error) {
    // An address that Mollie does not reach: the payment goes on, and its changes are asked for.
    if (!(error instanceof ProviderFault) || error.facts.param !== 'webhookUrl') throw error;
    const { webhookUrl: _unreached, ...rest } = body;
    return post(rest, `${request.paymentId}-plain`);
  }
}

/** A payment for the player to pay on Mollie's pages. Making it moves no money. */
export async function createPayment(
  session: Session,
  request: AuthorizeRequest,
  prepared: Prepared,
): Promise<Charge | { declined: Decline }> {
  // No money moves for a payment that the player was never sent to.
  const payment = await makePayment(session, request, prepared).catch((error: unknown) => {
    const declined = error instanceof ProviderFault ? null : busyDecline(error);
    if (declined) return { declined };
    throw error;
  });
  if ('declined' in payment) return payment;
  const charge = waitingCharge(payment);
  const { redirectUrl = null, expiresAt = null } = charge.nextAction ?? {};
  const nextAction = { redirectUrl, instructionsUrl: null, expiresAt: expiresAt?.toISOString() ?? null };
  const isMade = await updateChargeMade(session.db, request, { intentId: payment.id, nextAction });
  if (!isMade) return declinedCharge(voidedCharge(payment), shopDecline('given_up'));
  return session.keep(request, charge);
}
