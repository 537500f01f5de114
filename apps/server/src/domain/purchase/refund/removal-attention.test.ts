import type { Attention } from '@coinslot/contract';
import type { Game } from '@coinslot/testing/game-receiver';
import { badLine, itemDeliveries, paymentRows } from '@coinslot/testing/order-rows';
import type { TestProgram } from '@coinslot/testing/program';
import { disputeIn } from '@coinslot/testing/purchase-samples';
import { kindsAsked, payAnOrder, startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { RETRY_STEPS_SECONDS } from '../../webhook/sending/retry.ts';
import { syncPayment } from '../engine/sync-payment.ts';
import { actOnAttention } from '../member-actions/act-on-attention.ts';

let shop: TestProgram;
let game: Game;
const line = badLine();
const ACTOR = { userId: 'usr_test', email: 'ada@example.com', ip: '127.0.0.1' };

const attentionOf = async (orderId: string): Promise<Attention | null> => (await shop.readOrder(orderId)).attention;
const removalOf = async (orderId: string) => (await itemDeliveries(shop.database.db, orderId)).at(-1)!;

async function payment(orderId: string) {
  const { companyId, sandbox } = shop.account;
  const paymentId = (await paymentRows(shop.database.db, orderId)).at(-1)!.id;
  return { companyId, environmentId: sandbox.environmentId, paymentId };
}

const act = async (orderId: string, action: 'ask_again' | 'settle_elsewhere', reason: string | null = null) =>
  actOnAttention(shop.program.purchasing, ACTOR, { ...(await payment(orderId)), action, reason });

async function refundInVain(whileItFails?: (orderId: string) => Promise<void>): Promise<string> {
  const orderId = await payAnOrder(shop);
  game.answerAlways({ status: 503 });
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await whileItFails?.(orderId);
  // The longest pauses may be stretched by a fifth.
  for (const step of RETRY_STEPS_SECONDS.items) await shop.later(step * 1.2);
  expect(await removalOf(orderId)).toMatchObject({ kind: 'item.remove', status: 'exhausted' });
  game.answerAlways(null);
  return orderId;
}

beforeAll(async () => {
  ({ shop, game } = await startOnBadLine(line));
});

afterEach(() => {
  game.answerAlways(null);
  line.gateway().behave();
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

it('an `item.remove` that the game never accepted is sent again by a member (row 149)', async () => {
  const orderId = await refundInVain();
  expect(await attentionOf(orderId)).toMatchObject({ code: 'removal_unanswered', next_check_at: null });
  await act(orderId, 'ask_again');
  await shop.later(0);
  expect(await removalOf(orderId)).toMatchObject({ status: 'succeeded' });
  expect(await attentionOf(orderId)).toBeNull();
  expect(kindsAsked(game, orderId).at(-1)).toBe('item.remove');
});

it('or rests when a member has settled it by hand, and no replay sends it (row 149)', async () => {
  const orderId = await refundInVain();
  await act(orderId, 'settle_elsewhere', 'removed by hand');
  expect(await attentionOf(orderId)).toBeNull();
  expect(await removalOf(orderId)).toMatchObject({ status: 'canceled' });
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
});

it('a dispute that hides it while the bank decides gives it back to the list (row 149)', async () => {
  const say = async (orderId: string, status: 'open' | 'won') => {
    const { environmentId, paymentId } = await payment(orderId);
    line.gateway().pretend(paymentId, { disputes: [disputeIn(status)] });
    await syncPayment(shop.program.purchasing, { environmentId, paymentId });
  };
  const orderId = await refundInVain(id => say(id, 'open'));
  expect(await attentionOf(orderId)).toMatchObject({ code: 'dispute_open' });
  await say(orderId, 'won');
  expect(await attentionOf(orderId)).toMatchObject({ code: 'removal_unanswered' });
});
