import { paymentIs } from '../../payment/payment.ts';
import type { ChargeRef, NextAction } from '../../payment/providers/base/gateway.ts';
import type { ChallengeAnswer } from '../../payment/providers/simulator/simulator.ts';
import { advanceFromRow } from '../engine/advance-purchase.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { abandonPayment, answerChallenge } from '../engine/sync-payment.ts';
import type { Checkout } from './checkout.ts';

type OfPlayer = Pick<Checkout, 'order' | 'payment' | 'mode'>;

const refOf = ({ order, payment }: OfPlayer): ChargeRef => ({
  environmentId: order.environmentId,
  paymentId: payment!.id,
});

const isUndecided = ({ mode, payment }: OfPlayer): boolean =>
  mode === 'live' && payment !== null && paymentIs(payment.status, 'undecided');

/** What the player must do next. Always asked of the provider, never stored. */
export async function readNextAction(shop: PurchaseShop, checkout: OfPlayer): Promise<NextAction | null> {
  const { payment } = checkout;
  if (payment?.status !== 'requires_action') return null;
  const charge = await shop.gateways[payment.gateway]?.lookUp(refOf(checkout));
  return charge?.status === 'requires_action' ? (charge.nextAction ?? null) : null;
}

/** The player is back from the bank, or the provider's script has finished: the provider is asked for the outcome. */
export const returnToCheckout = async (shop: PurchaseShop, checkout: OfPlayer): Promise<void> => {
  if (isUndecided(checkout)) await advanceFromRow(shop, refOf(checkout));
};

/** The player wants to pay another way. */
export const abandonCheckout = async (shop: PurchaseShop, checkout: OfPlayer): Promise<void> => {
  if (isUndecided(checkout)) await abandonPayment(shop, refOf(checkout));
};

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
