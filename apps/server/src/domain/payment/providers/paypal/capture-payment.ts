import { type Charge, type ChargeRef, OutcomeUnknown, type StepAnswer } from '../base/gateway.ts';
import { findProviderCharge } from '../base/provider-charge.sql.ts';
import { updateChargeCapture, updateChargeGeneration, updateChargeHold } from '../base/provider-steps.sql.ts';
import { isInHand } from './charge-of-payment.ts';
import { type Found, move, type PaypalDeps, refuse } from './paypal-context.ts';
import { stepRefusalOf } from './paypal-problem.ts';
import { getAuthorization, readCaptured, readPayment } from './read-payment.ts';
import { toPaypalMoney } from './wire/paypal-amount.ts';
import { PaypalFault, TIMEOUTS_MS } from './wire/paypal-client.ts';
import type { PaypalAuthorization, PaypalCapture } from './wire/paypal-objects.ts';

export type CaptureRequest = ChargeRef & { amountMinor: number; currency: string };

const DAY_SECONDS = 86_400;
/** For so long PayPal promises the money. After that it is asked to reserve it anew, which it does within 29 days. */
const HONOR_SECONDS = 3 * DAY_SECONDS;
const VALID_SECONDS = 29 * DAY_SECONDS;

const ageOf = ({ row }: Found, { create_time: made }: PaypalAuthorization): number =>
  made === undefined ? row.ageSeconds : row.createdAt.getTime() / 1000 + row.ageSeconds - Date.parse(made) / 1000;

/** The reservation to capture: the one there is, or a fresh one after a late yes of the game. */
async function freshHold(deps: PaypalDeps, found: Found, holdId: string): Promise<string> {
  const { row } = found;
  if (row.ageSeconds < HONOR_SECONDS || row.ageSeconds > VALID_SECONDS) return holdId;
  if (ageOf(found, await getAuthorization(deps, found, holdId)) < HONOR_SECONDS) return holdId;
  try {
    const fresh = await move<PaypalAuthorization>(deps, found, `reauthorize ${holdId}`, {
      path: `/v2/payments/authorizations/${holdId}/reauthorize`,
      body: { amount: toPaypalMoney(row.amountMinor, row.currency)! },
      timeoutMs: TIMEOUTS_MS.charge,
    });
    await updateChargeHold(deps.db, row, fresh.id);
    return fresh.id;
  } catch (error) {
    // The older reservation may still be good; if it is not, the capture says so.
    if (error instanceof PaypalFault) return holdId;
    throw error;
  }
}

const STANDS_ELSEWHERE: readonly string[] = [
  'AUTHORIZATION_ALREADY_CAPTURED',
  'AUTHORIZATION_VOIDED',
  'MAX_CAPTURE_COUNT_EXCEEDED',
];

async function standing(deps: PaypalDeps, found: Found): Promise<StepAnswer> {
  const charge = await readPayment(deps, found);
  if (!charge) throw new OutcomeUnknown('PayPal says that a payment was captured and does not have it.');
  return { kind: 'charge', charge };
}

/** What became of the capture that was asked for. */
async function judge(deps: PaypalDeps, found: Found, capture: PaypalCapture): Promise<StepAnswer> {
  const { row } = found;
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') {
    await updateChargeGeneration(deps.db, row, row.generation);
    const fault = new PaypalFault({ statusCode: 422, issue: `CAPTURE_${capture.status}` });
    return refuse(deps, row, { ...stepRefusalOf(fault), whose: 'bank', reason: 'PayPal could not take the money.' });
  }
  await updateChargeCapture(deps.db, row, capture.id);
  if (!isInHand(capture)) throw new OutcomeUnknown('PayPal reviews the payment and has not captured it yet.');
  return { kind: 'charge', charge: await readCaptured(deps, found, capture) };
}

async function askCapture(deps: PaypalDeps, found: Found, holdId: string): Promise<StepAnswer> {
  const { row } = found;
  const hold = await freshHold(deps, found, holdId);
  try {
    const capture = await move<PaypalCapture>(deps, found, 'capture', {
      path: `/v2/payments/authorizations/${hold}/capture`,
      body: { amount: toPaypalMoney(row.amountMinor, row.currency)!, final_capture: true },
      timeoutMs: TIMEOUTS_MS.charge,
    });
    return await judge(deps, found, capture);
  } catch (error) {
    if (!(error instanceof PaypalFault)) throw error;
    if (STANDS_ELSEWHERE.includes(error.issue)) return standing(deps, found);
    return refuse(deps, row, stepRefusalOf(error));
  }
}

/** PayPal would take up to 115 % of what it holds, so what differs is refused here. */
const differs = ({ row }: Found, { amountMinor, currency }: CaptureRequest): boolean =>
  amountMinor !== row.amountMinor || currency !== row.currency;

export async function capturePayment(deps: PaypalDeps, found: Found, request: CaptureRequest): Promise<StepAnswer> {
  const { row } = found;
  if (differs(found, request)) {
    return refuse(deps, row, {
      whose: 'shop',
      code: 'amount_differs',
      reason: 'Another amount was asked for than PayPal holds.',
      param: 'amount',
      requestId: null,
      isFinal: true,
    });
  }
  const isPlain = row.holdId !== null && row.captureId === null && row.ended === null && row.generation === 0;
  // After an error, and wherever the row does not tell all of it, what stands at PayPal decides whether to ask.
  const charge: Charge | null = isPlain ? null : await readPayment(deps, found);
  if (!isPlain && charge?.status !== 'authorized') return charge ? { kind: 'charge', charge } : standing(deps, found);
  if (row.captureId !== null) throw new OutcomeUnknown('PayPal has not captured the payment yet.');
  const holdId = row.holdId ?? (await latestHold(deps, found));
  return askCapture(deps, found, holdId);
}

/** Found a moment ago, when the payment was read. */
async function latestHold(deps: PaypalDeps, found: Found): Promise<string> {
  const row = await findProviderCharge(deps.db, found.row);
  if (!row?.holdId) throw new OutcomeUnknown('PayPal holds no reservation.');
  return row.holdId;
}
