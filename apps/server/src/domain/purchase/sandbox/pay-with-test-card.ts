import type { PayOrder, TestCardName } from '@coinslot/contract';
import { AppError, foundOr, invalidField } from '../../../kit/app-error.ts';
import { sameBytes } from '../../../kit/seal.ts';
import { claimIdempotencyKey, deleteIdempotencyKey, findIdempotencyKey } from '../../order/idempotency-key.sql.ts';
import { findOrder, type OrderAt } from '../../order/order.sql.ts';
import { decideOrder, type Order, statusAt } from '../../order/order.ts';
import { findPaymentOfOrder } from '../../payment/payment.sql.ts';
import type { CardDetails } from '../../payment/providers/base/gateway.ts';
import { TEST_CARDS } from '../../payment/providers/simulator/test-cards.ts';
import { payOrder } from '../checkout/begin-payment.ts';
import { claimOrder } from '../engine/claim-order.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { answerChallenge } from '../engine/sync-payment.ts';

/** What is asked for by name, as the simulator's table has it: a decline by its code, anything else by what it does. */
const MEANINGS: Record<TestCardName, string> = {
  success: 'approve',
  decline: '16',
  insufficient_funds: '2051',
  lost: '3041',
  stolen: '3043',
  expired: '2054',
  '3ds': 'challenge',
  dispute: 'dispute_lost',
  dispute_won: 'dispute_won',
  dispute_evidence: 'dispute_evidence',
  inquiry: 'inquiry',
  refund_fails: 'refund_fails',
};

function numberOf(name: TestCardName): string {
  const card = TEST_CARDS.find(({ behavior }) =>
    [behavior.kind, behavior.kind === 'decline' ? behavior.code : null].includes(MEANINGS[name]),
  );
  return card!.number;
}

interface PayWithTestCard {
  environmentId: string;
  orderId: string;
  body: PayOrder;
  idempotency: { key: string; bodyHash: Buffer } | null;
}

const YEARS_AHEAD = 5;

const cardOf = (name: TestCardName, now: Date): CardDetails => ({
  number: numberOf(name),
  expiryMonth: 12,
  expiryYear: now.getUTCFullYear() + YEARS_AHEAD,
  cvc: '123',
  postalCode: '10115',
});

function chosen({ card, challenge }: PayOrder): void {
  if ((card === undefined) !== (challenge === undefined)) return;
  throw invalidField('', 'one_of', 'Give either card or challenge.');
}

const wrongStatus = (order: Order, now: Date, what: string): AppError =>
  new AppError('order_wrong_status', { detail: `The order is ${statusAt(order, now)}; ${what}` });

async function answerBank(shop: PurchaseShop, order: Order, now: Date, body: PayOrder) {
  const { environmentId, id } = order;
  const payment = await findPaymentOfOrder(shop.db, environmentId, id);
  if (payment?.status !== 'requires_action') throw wrongStatus(order, now, 'no 3-D Secure challenge is open.');
  await answerChallenge(shop, payment, body.challenge!);
}

/** Keeps the caller's key for a payment apart from the same key for an order. */
const keptKey = (orderId: string, key: string): string => `${orderId} pay ${key}`;

/** Whether the same call was made before under its key. */
async function wasMade(
  { db }: PurchaseShop,
  { environmentId, orderId, idempotency }: PayWithTestCard,
): Promise<boolean> {
  if (!idempotency) return false;
  const { bodyHash } = idempotency;
  const key = keptKey(orderId, idempotency.key);
  if (await claimIdempotencyKey(db, environmentId, key, { bodyHash, orderId })) return false;
  const taken = await findIdempotencyKey(db, environmentId, key);
  if (taken && !sameBytes(taken.bodyHash, bodyHash)) throw new AppError('idempotency_key_reused');
  return true;
}

async function pay(
  shop: PurchaseShop,
  { order, now }: OrderAt,
  { environmentId, orderId, body, idempotency }: PayWithTestCard,
): Promise<void> {
  if (body.challenge) return answerBank(shop, order, now, body);
  const isFree = order.amountMinor === 0;
  if ('refused' in decideOrder(order, isFree ? 'claim' : 'pay', now)) {
    throw wrongStatus(order, now, 'only one that waits for its player can be paid.');
  }
  if (isFree) return claimOrder(shop, { environmentId, orderId, email: order.email });
  const { outcome } = await payOrder(shop, {
    environmentId,
    orderId,
    gateway: shop.simulator,
    method: 'card',
    email: order.email,
    payWith: { kind: 'card', card: cardOf(body.card!, now) },
    returnUrl: shop.checkoutUrlOf(environmentId, orderId),
    attemptKey: idempotency && keptKey(orderId, idempotency.key),
  });
  await outcome;
}

/** A call that was refused has done nothing: it may be made again under its key. */
async function payOnce(shop: PurchaseShop, found: OrderAt, input: PayWithTestCard): Promise<void> {
  const { environmentId, orderId, idempotency } = input;
  try {
    await pay(shop, found, input);
  } catch (error) {
    if (idempotency && error instanceof AppError) {
      await deleteIdempotencyKey(shop.db, environmentId, keptKey(orderId, idempotency.key), orderId);
    }
    throw error;
  }
}

/**
 * The program may have died between the key and the payment, so the call is made again: a payment has its key too and is begun
 * once. An answer to the bank has none, and may meet a later challenge: it is left as it is.
 */
async function payAgain(shop: PurchaseShop, found: OrderAt, input: PayWithTestCard): Promise<void> {
  if (input.body.challenge) return;
  try {
    await pay(shop, found, input);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'order_wrong_status')) throw error;
  }
}

/** What the player does on the page, by name of card: the same use cases, so the same events and records. */
export async function payWithTestCard(
  shop: PurchaseShop,
  input: PayWithTestCard,
): Promise<{ isReplayed: boolean; outcome: Promise<void> }> {
  const found = await foundOr('order_not_found', findOrder(shop.db, input.environmentId, input.orderId));
  chosen(input.body);
  const isReplayed = await wasMade(shop, input);
  const outcome = isReplayed ? payAgain(shop, found, input) : payOnce(shop, found, input);
  // It may fail before the caller waits for it.
  outcome.catch(() => {});
  return { isReplayed, outcome };
}
