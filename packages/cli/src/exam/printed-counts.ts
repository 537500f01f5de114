import type { CountOf, ExamTarget, ItemKind } from '@coinslot/exam';
import { signWebhook, testEvent } from '@coinslot/sdk';
import type { ReceiverProcess } from './receiver-process.ts';

const SKU = 'exam_lines';
const SETTLE_MS = 1_500;
const EVERY_MS = 100;
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Finds the counts in lines such as `item.add player sku 3`, which our example receivers print. */
function countsIn(text: string, kind: ItemKind | null, playerId: string, sku: string): number[] {
  return text
    .split('\n')
    .filter(line => line.includes(` ${playerId} ${sku} `) && (kind === null || line.includes(`${kind} `)))
    .map(line => Number(line.trimEnd().split(' ').at(-1)));
}

/** Waits a moment for so many lines. */
async function printedFor(receiver: ReceiverProcess, kind: ItemKind, playerId: string, lines = 1): Promise<number[]> {
  const read = (): number[] => countsIn(receiver.printed(), kind, playerId, SKU);
  for (let waitedMs = 0; waitedMs < SETTLE_MS && read().length < lines; waitedMs += EVERY_MS) await pause(EVERY_MS);
  return read();
}

type Sent = Pick<ExamTarget, 'secret' | 'send' | 'runId'>;

async function deliver({ secret, send, runId }: Sent, kind: ItemKind, quantity: number, order: number) {
  const item = { sku: SKU, name: null, quantity, price_decimal: 1, currency: 'USD' };
  const order_id = `ord_${runId}-lines-${order}`;
  const data = {
    player_id: `exam-${runId}-lines`,
    items: [item],
    order_id,
    payment_id: null,
    grant: 'confirmed' as const,
  };
  const key = `exam:${runId}:lines:${kind}:${order}`;
  const { rawBody, headers } = await signWebhook({ body: testEvent(kind, data, { idempotency_key: key }), secret });
  await send({ body: rawBody, headers });
}

/**
 * Tells whether the lines say what the player has. Two purchases of 2 and 3 end in 5, or in 2 where the receiver ignores
 * quantities; a receiver that prints the quantity of each ends in 3, and one that prints something else in no number.
 */
const areCounts = (adds: readonly number[]): boolean => adds.length === 2 && (adds[1] === 5 || adds.join() === '1,2');

/** What a receiver prints, if its lines say what a player has. Null for one that prints differently. */
export async function printedCounts(
  receiver: ReceiverProcess,
  sent: Sent,
): Promise<{ countOf: CountOf; timesPrinted: NonNullable<ExamTarget['timesPrinted']> } | null> {
  const playerId = `exam-${sent.runId}-lines`;
  await deliver(sent, 'item.add', 2, 1);
  if ((await printedFor(receiver, 'item.add', playerId)).length === 0) return null;
  await deliver(sent, 'item.add', 3, 2);
  const adds = await printedFor(receiver, 'item.add', playerId, 2);
  if (!areCounts(adds)) return null;
  // Of an order that it granted, and else of one that it does not know: it may take the first for a duplicate.
  await deliver(sent, 'item.remove', 2, 1);
  let [left] = await printedFor(receiver, 'item.remove', playerId);
  if (left === undefined) {
    await deliver(sent, 'item.remove', 2, 3);
    [left] = await printedFor(receiver, 'item.remove', playerId);
  }
  // One that says nothing of a removal may still have revoked.
  const seesRemovals = left !== undefined && left !== 2;
  return {
    async countOf(player, sku, after) {
      if (after === 'item.remove' && !seesRemovals) return null;
      return countsIn(receiver.printed(), null, player, sku).at(-1) ?? 0;
    },
    timesPrinted: async (player, sku) => countsIn(receiver.printed(), 'item.add', player, sku).length,
  };
}
