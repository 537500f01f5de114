import { reasonOf } from '@coinslot/texts/reasons';
import type { Charge } from '../base/charge-shape.ts';
import { ownRefusal, type Refused, refusal } from '../base/charges.ts';
import type { CaptureRequest } from '../base/driver.ts';
import { ProviderFault } from '../base/fault.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import {
  findProviderCharge,
  updateChargeCapture,
  updateChargeGeneration,
  updateChargeHold,
} from '../base/provider-charge.sql.ts';
import { getAuthorization } from './ask-payment.ts';
import { isInHand, voidedCharge } from './charge-of-payment.ts';
import { factsOf, move, type PaypalCharge } from './paypal-charge.ts';
import { pendingWarning, readCaptured } from './read-money.ts';
import { readCharge } from './read-payment.ts';
import { toPaypalMoney } from './wire/paypal-amount.ts';
import { TIMEOUTS_MS } from './wire/paypal-client.ts';
import type { PaypalAuthorization, PaypalCapture } from './wire/paypal-objects.ts';

const DAY_SECONDS = 86_400;
/** For so long PayPal promises the money. After that it is asked to reserve it again, which it does within 29 days. */
const HONOR_SECONDS = 3 * DAY_SECONDS;
const VALID_SECONDS = 29 * DAY_SECONDS;

const ageOf = ({ row }: PaypalCharge, { create_time: made }: PaypalAuthorization): number =>
  made === undefined ? row.ageSeconds : row.createdAt.getTime() / 1000 + row.ageSeconds - Date.parse(made) / 1000;

/** The reservation to capture: the one there is, or a fresh one after a late yes of the game. */
async function freshHold(found: PaypalCharge, holdId: string): Promise<string> {
  const { row } = found;
  if (row.ageSeconds < HONOR_SECONDS || row.ageSeconds > VALID_SECONDS) return holdId;
  if (ageOf(found, await getAuthorization(found, holdId)) < HONOR_SECONDS) return holdId;
  try {
    const fresh = await move<PaypalAuthorization>(found, `reauthorize ${holdId}`, {
      path: `/v2/payments/authorizations/${holdId}/reauthorize`,
      body: { amount: toPaypalMoney(row.amountMinor, row.currency)! },
      timeoutMs: TIMEOUTS_MS.charge,
    });
    await updateChargeHold(found.db, row, fresh.id);
    return fresh.id;
  } catch (error) {
    // The older reservation may still be good; if it is not, the capture says so.
    if (error instanceof ProviderFault) return holdId;
    throw error;
  }
}

async function askCapture(found: PaypalCharge, holdId: string): Promise<Charge | Refused> {
  const { row, db } = found;
  const hold = await freshHold(found, holdId);
  const capture = await move<PaypalCapture>(found, 'capture', {
    path: `/v2/payments/authorizations/${hold}/capture`,
    body: { amount: toPaypalMoney(row.amountMinor, row.currency)!, final_capture: true },
    timeoutMs: TIMEOUTS_MS.charge,
  });
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') {
    await updateChargeGeneration(db, row, row.generation);
    const code = `CAPTURE_${capture.status}`;
    return found.refuse(row, refusal('bank', code, reasonOf('paypal.step', code)!, { isFinal: false }));
  }
  await updateChargeCapture(db, row, capture.id);
  if (!isInHand(capture)) {
    const warning = pendingWarning(capture);
    await found.keep(row, { ...voidedCharge(factsOf(found)), status: 'authorized', warning });
    throw new OutcomeUnknown(`PayPal has not captured the payment yet: ${warning?.reason}.`);
  }
  return readCaptured(found, capture);
}

/** PayPal would take up to 115 % of what it holds, so what differs is refused here. */
const differs = ({ row }: PaypalCharge, { amountMinor, currency }: CaptureRequest): boolean =>
  amountMinor !== row.amountMinor || currency !== row.currency;

export async function capturePayment(found: PaypalCharge, request: CaptureRequest): Promise<Charge | Refused | null> {
  const { row } = found;
  if (differs(found, request)) {
    return found.refuse(row, ownRefusal('shop', 'amount_differs', { param: 'amount' }));
  }
  const isPlain = row.holdId !== null && row.captureId === null && row.ended === null && row.generation === 0;
  if (!isPlain) {
    // After an error, and wherever the row does not tell all of it, what stands at PayPal decides whether to ask.
    const charge = await readCharge(found);
    if (charge?.status !== 'authorized') return charge;
  }
  if (row.captureId !== null) throw new OutcomeUnknown('PayPal has not captured the payment yet.');
  return askCapture(found, row.holdId ?? (await latestHold(found)));
}

/** Found a moment ago, when the payment was read. */
async function latestHold({ row, db }: PaypalCharge): Promise<string> {
  const { holdId = null } = (await findProviderCharge(db, row)) ?? {};
  if (holdId === null) throw new OutcomeUnknown('PayPal holds no reservation.');
  return holdId;
}
