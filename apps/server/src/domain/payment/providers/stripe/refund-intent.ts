import type Stripe from 'stripe';
import type { Charge, RefundAnswer } from '../base/gateway.ts';
import { type ProviderCharge, updateChargeRefund, updateRefundRefused } from '../base/provider-charge.sql.ts';
import { hasFailed, isUnderWay, refusalOfRefund } from './refund-failure.ts';
import { TIMEOUTS_MS } from './stripe-client.ts';
import {
  type AccountClient,
  callStripe,
  faultOf,
  readCharge,
  refuse,
  retrieveIntent,
  type StripeDeps,
  unknownFrom,
} from './stripe-context.ts';
import { isStored, stepRefusalOf } from './stripe-problem.ts';

const ALREADY = 'charge_already_refunded';
const TOO_MANY = 429;

/** What became of the refund that was asked for. */
async function judge(
  deps: StripeDeps,
  client: AccountClient,
  row: ProviderCharge,
  refund: Stripe.Refund,
): Promise<RefundAnswer> {
  if (hasFailed(refund)) {
    await updateChargeRefund(deps.db, row, null);
    return refuse(deps, row, refusalOfRefund(refund));
  }
  const charge = await read(deps, client, row);
  return answerFor(charge);
}

const answerFor = (charge: Charge): RefundAnswer =>
  charge.status === 'refunded' ? { kind: 'charge', charge } : { kind: 'pending', charge };

async function read(deps: StripeDeps, client: AccountClient, row: ProviderCharge): Promise<Charge> {
  try {
    return await readCharge(deps, client, row, await retrieveIntent(client, row.intentId!));
  } catch (error) {
    throw unknownFrom(error, 'what became of a refund');
  }
}

/** Their money goes back by a transfer, for which Stripe asks the player by mail. */
const BY_INSTRUCTIONS: readonly string[] = ['konbini', 'multibanco', 'promptpay'];

function instructionsIn(
  intent: Stripe.PaymentIntent,
  method: string | null | undefined,
): { instructions_email?: string } {
  const { payment_method: used, latest_charge: charge } = intent;
  const email =
    (typeof used === 'object' && used?.billing_details?.email) ||
    (typeof charge === 'object' && charge?.billing_details?.email);
  return BY_INSTRUCTIONS.includes(method ?? '') && email ? { instructions_email: email } : {};
}

/** The whole amount, so that Stripe itself refuses a second one, whatever its key. */
async function ask(
  deps: StripeDeps,
  client: AccountClient,
  row: ProviderCharge,
  intent: Stripe.PaymentIntent,
  charge: Charge,
): Promise<RefundAnswer> {
  const { environmentId, paymentId, refundGeneration } = row;
  // The bank may fail to do it days later, or Stripe may refuse it. What is asked for after that is another refund.
  const failedBefore = refundsIn(intent).filter(hasFailed).length;
  const params: Stripe.RefundCreateParams = {
    payment_intent: intent.id,
    reason: 'requested_by_customer',
    metadata: { payment_id: paymentId, environment_id: environmentId },
    ...instructionsIn(intent, charge.method),
  };
  const idempotencyKey = `${paymentId}:refund:${failedBefore}:${refundGeneration}`;
  try {
    const refund = await callStripe(deps, row, 'a refund', () =>
      client.client.refunds
        .create(params, { idempotencyKey, timeout: TIMEOUTS_MS.charge })
        .catch(async (error: unknown) => {
          if (isStored(faultOf(error))) await updateRefundRefused(deps.db, row, refundGeneration);
          throw error;
        }),
    );
    await updateChargeRefund(deps.db, row, refund.id);
    return await judge(deps, client, row, refund);
  } catch (error) {
    const fault = faultOf(error);
    if (fault.statusCode === undefined || fault.statusCode === TOO_MANY) throw unknownFrom(error, 'a refund');
    if (fault.code === ALREADY) return answerFor(await read(deps, client, row));
    return refuse(deps, row, stepRefusalOf(fault));
  }
}

const refundsIn = ({ latest_charge: charge }: Stripe.PaymentIntent): readonly Stripe.Refund[] =>
  typeof charge === 'object' ? (charge?.refunds?.data ?? []) : [];

/** An inquiry ends with a refund; what the bank has taken, or may have, is not returned a second time. */
const isHeldByBank = ({ dispute }: Charge): boolean =>
  dispute !== null && dispute.status !== 'won' && dispute.status !== 'inquiry';

export async function refundIntent(
  deps: StripeDeps,
  client: AccountClient,
  row: ProviderCharge,
): Promise<RefundAnswer> {
  if (row.refundId !== null) {
    const refund = await client.client.refunds
      .retrieve(row.refundId, {}, { timeout: TIMEOUTS_MS.ask })
      .catch((error: unknown) => Promise.reject(unknownFrom(error, 'what became of a refund')));
    return judge(deps, client, row, refund);
  }
  const intent = await retrieveIntent(client, row.intentId!).catch((error: unknown) =>
    Promise.reject(unknownFrom(error, 'a payment')),
  );
  const charge = await readCharge(deps, client, row, intent);
  if (charge.status === 'refunded') return { kind: 'charge', charge };
  if (isHeldByBank(charge)) return refuse(deps, row, stepRefusalOf({ code: 'charge_disputed' }));
  if (refundsIn(intent).some(isUnderWay)) return { kind: 'pending', charge };
  return ask(deps, client, row, intent, charge);
}
