import { chargeSecretContext } from '../../payment/merchant-accounts/account-secrets.ts';
import { updatePaymentCheckWithin } from '../../payment/payment.sql.ts';
import { paymentIs } from '../../payment/payment.ts';
import type { NextAction } from '../../payment/providers/base/charge-shape.ts';
import type { ChargeRef } from '../../payment/providers/base/gateway.ts';
import { claimLookUp, findChargeDetails } from '../../payment/providers/base/provider-charge.sql.ts';
import type { ChallengeAnswer } from '../../payment/providers/simulator/simulated-steps.ts';
import { advanceFromRow } from '../engine/advance-purchase.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { abandonPayment, answerChallenge } from '../engine/sync-payment.ts';
import type { Checkout } from './checkout.ts';

type OfPlayer = Pick<Checkout, 'order' | 'payment' | 'mode'>;

/** However often a player's page asks, and however many have it open. */
const LOOK_UP_EVERY_SECONDS = 3;

const refOf = ({ order, payment }: OfPlayer): ChargeRef => ({
  environmentId: order.environmentId,
  paymentId: payment!.id,
});

const isUndecided = ({ mode, payment }: OfPlayer): boolean =>
  mode === 'live' && payment !== null && paymentIs(payment.status, 'undecided');

/** As the provider said it last. */
async function keptAction({ db, seal }: PurchaseShop, ref: ChargeRef): Promise<NextAction | null> {
  const kept = await findChargeDetails(db, ref);
  if (!kept?.nextAction) return null;
  const { redirectUrl, instructionsUrl, expiresAt } = kept.nextAction;
  const sealed = kept.clientSecretSealed;
  return {
    redirectUrl,
    instructionsUrl,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    clientSecret: sealed && seal.open(sealed, chargeSecretContext(ref.environmentId, ref.paymentId)),
  };
}

/** What the player must do next, asked of the provider; if it was asked a moment ago, what it said then. */
export async function readNextAction(shop: PurchaseShop, checkout: OfPlayer): Promise<NextAction | null> {
  const { payment } = checkout;
  if (payment?.status !== 'requires_action') return null;
  const ref = refOf(checkout);
  if (!(await claimLookUp(shop.db, ref, LOOK_UP_EVERY_SECONDS))) return keptAction(shop, ref);
  const charge = await shop.gateways[payment.gateway]?.lookUp(ref);
  return charge?.status === 'requires_action' ? (charge.nextAction ?? null) : null;
}

/**
 * The player is back from the bank, or the provider's script has finished: the provider is asked for the outcome. If it was
 * asked a moment ago, a worker asks as soon as it may be asked again.
 */
export async function returnToCheckout(shop: PurchaseShop, checkout: OfPlayer): Promise<void> {
  if (!isUndecided(checkout)) return;
  const ref = refOf(checkout);
  if (await claimLookUp(shop.db, ref, LOOK_UP_EVERY_SECONDS)) return advanceFromRow(shop, ref);
  await shop.db.transaction(async tx => updatePaymentCheckWithin(tx, checkout.payment!, LOOK_UP_EVERY_SECONDS));
}

/** Those that are being given up now, so that many clicks are one. */
const givingUp = new Map<string, Promise<void>>();

/** The player wants to pay another way. */
export function abandonCheckout(shop: PurchaseShop, checkout: OfPlayer): Promise<void> {
  if (!isUndecided(checkout)) return Promise.resolve();
  const ref = refOf(checkout);
  const known = givingUp.get(ref.paymentId);
  if (known) return known;
  const ended = abandonPayment(shop, ref).finally(() => givingUp.delete(ref.paymentId));
  givingUp.set(ref.paymentId, ended);
  return ended;
}

/** The player answered the question of the simulator's bank. An answer to a question that is over changes nothing. */
export const answerSimulator = async (
  shop: PurchaseShop,
  checkout: OfPlayer,
  answer: ChallengeAnswer,
): Promise<void> => {
  const { payment } = checkout;
  if (payment?.status !== 'requires_action' || payment.gateway !== shop.simulator.name) return;
  await answerChallenge(shop, payment, answer);
};
