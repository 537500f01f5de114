import type Stripe from 'stripe';
import type { Charge } from '../base/charge-shape.ts';
import { faultIn } from '../base/fault.ts';
import type { ChargeRef } from '../base/gateway.ts';
import type { ProviderCharge } from '../base/provider-charge.sql.ts';
import type { AccountSession, LocatedCharge } from '../base/session.ts';
import { chargeOfIntent } from './charge-of-intent.ts';
import { ASK, type StripeClient } from './stripe-client.ts';

export type StripeSession = AccountSession<StripeClient>;
export type StripeCharge = LocatedCharge<StripeClient>;

const EXPANDED = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method', 'review'];

export const retrieveIntent = ({ ask, row }: StripeCharge): Promise<Stripe.PaymentIntent> =>
  ask('a payment', client => client.paymentIntents.retrieve(row.intentId, { expand: EXPANDED }, ASK));

export const askDisputes = async ({ ask }: StripeSession, intentId: string): Promise<Stripe.Dispute[]> =>
  (await ask('disputes', client => client.disputes.list({ payment_intent: intentId, limit: 20 }, ASK))).data;

/** A key that may not read them must not hold up the money: the members are told which permission is missing. */
const listWarnings = ({ ask, call }: StripeSession, intentId: string): Promise<Stripe.Radar.EarlyFraudWarning[]> =>
  ask('fraud warnings', () =>
    call('fraud warnings', async client => {
      const { data } = await client.radar.earlyFraudWarnings.list({ payment_intent: intentId, limit: 1 }, ASK);
      return data;
    }).catch((error: unknown) => {
      if (faultIn(error)?.accountProblem === 'provider_permission_missing') return [];
      throw error;
    }),
  );

const isDisputed = ({ latest_charge: charge }: Stripe.PaymentIntent): boolean =>
  typeof charge === 'object' && charge?.disputed === true;

/** The intent as we read it, with its disputes and warnings, kept in the row. */
export async function readIntent(
  session: StripeSession,
  row: ChargeRef & Pick<ProviderCharge, 'hasDispute' | 'hasWarning'>,
  intent: Stripe.PaymentIntent,
): Promise<Charge> {
  const disputes = row.hasDispute || isDisputed(intent) ? await askDisputes(session, intent.id) : [];
  const warnings = row.hasWarning ? await listWarnings(session, intent.id) : [];
  return session.keep(row, chargeOfIntent(intent, disputes, warnings));
}

/** It said no, but a browser that holds its secret could try again. Ended, it cannot be charged any more. */
async function endDeclined({ ask }: StripeCharge, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  if (intent.status !== 'requires_payment_method') return intent;
  const ended = await ask('the end of a declined payment', client => client.paymentIntents.cancel(intent.id, {}, ASK));
  // Whatever changes an intent may clear why it was declined, and that is what the player is told.
  return { ...ended, last_payment_error: ended.last_payment_error ?? intent.last_payment_error };
}

export const readCharge = async (charge: StripeCharge): Promise<Charge> =>
  readIntent(charge, charge.row, await endDeclined(charge, await retrieveIntent(charge)));
