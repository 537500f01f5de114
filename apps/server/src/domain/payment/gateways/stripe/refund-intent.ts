import type Stripe from 'stripe';
import type { Charge, RefundAnswer } from '../gateway.ts';
import { type ProviderCharge, updateChargeRefund } from './provider-charge.sql.ts';
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

const REASONS: Readonly<Record<string, string>> = {
  charge_disputed: 'The bank disputes this payment; its money cannot be returned twice.',
  refund_disputed_payment: 'The bank disputes this payment; its money cannot be returned twice.',
  balance_insufficient: 'The balance at the provider is too low. Add money there and refund again.',
  insufficient_funds: 'The balance at the provider is too low. Add money there and refund again.',
  charge_not_refundable: 'The payment method cannot return money.',
  expired_or_canceled_card: 'The card has expired or was closed. Return the money another way.',
  lost_or_stolen_card: 'The card was lost or stolen. Return the money another way.',
  unknown: 'The bank refused the money and gave no reason.',
};

const reasonOf = (code: string | null | undefined): string =>
  REASONS[code ?? 'unknown'] ?? `The provider refused (${code}).`;

const ALREADY: readonly string[] = ['charge_already_refunded'];
const FAILED: readonly (string | null)[] = ['failed', 'canceled'];

/** What became of the refund that was asked for. */
async function judge(
  deps: StripeDeps,
  client: AccountClient,
  row: ProviderCharge,
  refund: Stripe.Refund,
): Promise<RefundAnswer> {
  if (FAILED.includes(refund.status)) {
    await updateChargeRefund(deps.db, row, null);
    return { kind: 'refused', reason: reasonOf(refund.failure_reason) };
  }
  const charge = await read(deps, client, row);
  return answerFor(charge);
}

const answerFor = (charge: Charge): RefundAnswer =>
  charge.status === 'refunded' ? { kind: 'refunded', charge } : { kind: 'pending', charge };

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
    const { statusCode, code } = faultOf(error);
    if (statusCode === undefined || statusCode === 401 || statusCode === 429) throw error;
    if (ALREADY.includes(code ?? '')) return answerFor(await read(deps, client, row));
    return { kind: 'refused', reason: reasonOf(code) };
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
  if (charge.status === 'refunded') return { kind: 'refunded', charge };
  if (charge.dispute && charge.dispute.status !== 'won') {
    return { kind: 'refused', reason: reasonOf('charge_disputed') };
  }
  const refunds = typeof intent.latest_charge === 'object' ? (intent.latest_charge?.refunds?.data ?? []) : [];
  if (charge.askAgainInSeconds !== null && charge.status === 'captured') return { kind: 'pending', charge };
  return ask(deps, client, row, refunds.filter(({ status }) => FAILED.includes(status)).length);
}
