import type Stripe from 'stripe';
import type { Charge, RefundAnswer } from '../gateway.ts';
import { type ProviderCharge, updateChargeRefund } from './provider-charge.sql.ts';
import { hasFailed, refusalOfRefund } from './refund-failure.ts';
import { TIMEOUTS_MS } from './stripe-client.ts';
import {
  type AccountClient,
  asking,
  faultOf,
  readCharge,
  retrieveIntent,
  type StripeDeps,
  unknownFrom,
} from './stripe-context.ts';
import { stepRefusalOf } from './stripe-problem.ts';

const ALREADY: readonly string[] = ['charge_already_refunded'];

/** What became of the refund that was asked for. */
async function judge(
  deps: StripeDeps,
  client: AccountClient,
  row: ProviderCharge,
  refund: Stripe.Refund,
): Promise<RefundAnswer> {
  if (hasFailed(refund)) {
    await updateChargeRefund(deps.db, row, null);
    return { kind: 'refused', refusal: refusalOfRefund(refund) };
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

/** The whole amount, so that Stripe itself refuses a second one, whatever its key. */
async function ask(
  deps: StripeDeps,
  client: AccountClient,
  row: ProviderCharge,
  failedBefore: number,
): Promise<RefundAnswer> {
  try {
    const refund = await asking(deps, row, 'a refund', () =>
      client.client.refunds.create(
        {
          payment_intent: row.intentId!,
          reason: 'requested_by_customer',
          metadata: { payment_id: row.paymentId, environment_id: row.environmentId },
        },
        // The bank may fail to do it days later. Then it may be asked for again, which is another refund.
        { idempotencyKey: `${row.paymentId}:refund:${failedBefore}`, timeout: TIMEOUTS_MS.charge },
      ),
    );
    await updateChargeRefund(deps.db, row, refund.id);
    return await judge(deps, client, row, refund);
  } catch (error) {
    const fault = faultOf(error);
    const { statusCode, code } = fault;
    if (statusCode === undefined || statusCode === 401 || statusCode === 429) throw error;
    if (ALREADY.includes(code ?? '')) return answerFor(await read(deps, client, row));
    return { kind: 'refused', refusal: stepRefusalOf(fault) };
  }
}

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
  if (charge.dispute && charge.dispute.status !== 'won') {
    return { kind: 'refused', refusal: stepRefusalOf({ code: 'charge_disputed' }) };
  }
  const refunds = typeof intent.latest_charge === 'object' ? (intent.latest_charge?.refunds?.data ?? []) : [];
  if (charge.askAgainInSeconds !== null && charge.status === 'captured') return { kind: 'pending', charge };
  return ask(deps, client, row, refunds.filter(hasFailed).length);
}
