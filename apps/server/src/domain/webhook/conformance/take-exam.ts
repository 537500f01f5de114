import { Readable } from 'node:stream';
import {
  type CaseResult,
  type CountOf,
  chunksOf,
  countInInventory,
  type Probe,
  type Reply,
  runExam,
} from '@coinslot/exam';
import { reasons } from '@coinslot/texts/reasons';
import { signingSecret } from '../endpoints/secrets.ts';
import { findSubscription } from '../endpoints/subscription.sql.ts';
import type { Sender, WebhookShop } from '../sending/send.ts';
import { type ClaimedExam, updateExamFinished, updateExamResults } from './exam.sql.ts';

/** Renewed with each result. No single check takes this long. */
export const EXAM_LEASE_SECONDS = 60;
/** The exam ends after this long; checks that were not tried by then are left out. */
const LONGEST_MS = 120_000;
const say = reasons.in('en');

const MOST_TRIES = 3;
const CUT_AFTER_MS = 150;

/** Asks nothing of the receiver but that it answers. */
const KNOCK: Probe = { body: '', headers: {} };

async function sendProbe(sender: Sender, url: string, { body, headers, dripMs = 0, cut }: Probe): Promise<Reply> {
  const bytes = Buffer.from(body);
  const { status, error, responseBody, durationMs } = await sender.send({
    url,
    body: bytes,
    ...(dripMs > 0 && { slowly: Readable.from(chunksOf(bytes, dripMs)) }),
    headers: { ...headers, 'content-length': String(bytes.length) },
    ...(cut && { cutAfterMs: CUT_AFTER_MS }),
  });
  if (status === null) return { kind: 'none', reason: error ?? 'no answer', tookMs: durationMs };
  return { kind: 'answer', status, body: responseBody, tookMs: durationMs };
}

const inventoryAt =
  (sender: Sender, address: string): CountOf =>
  async (playerId, sku) => {
    const url = address.replaceAll('{player_id}', encodeURIComponent(playerId));
    const { status, responseBody, error } = await sender.send({ url, method: 'GET', body: '', headers: {} });
    if (status === null) throw new Error(`the inventory could not be read: ${error}`);
    return countInInventory(status, responseBody, sku);
  };

async function secretOf({ db, seal }: WebhookShop, { environmentId, webhookId }: ClaimedExam): Promise<string | null> {
  if (webhookId === null) return signingSecret(db, seal, { environmentId, id: '', secretSealed: null });
  const webhook = await findSubscription(db, environmentId, webhookId);
  return webhook && signingSecret(db, seal, webhook);
}

class TakenOver extends Error {}

async function examine(shop: WebhookShop, exam: ClaimedExam): Promise<string | null> {
  const { db, sender, clock } = shop;
  if (exam.tries > MOST_TRIES) return say('exam.never_ended');
  const secret = await secretOf(shop, exam);
  if (secret === null) return say('exam.webhook_deleted');
  const knock = await sendProbe(sender, exam.url, KNOCK);
  if (knock.kind === 'none') return say('exam.no_answer', { error: knock.reason });
  const results: CaseResult[] = [];
  const endsAtMs = clock.nowMs() + LONGEST_MS;
  const stage = {
    url: new URL(exam.url),
    secret,
    send: (probe: Probe) => sendProbe(sender, exam.url, probe),
    // A player of an earlier try must not hold what this one counts.
    runId: `${exam.id.slice(-8)}${exam.tries}`,
    countOf: exam.inventoryUrl === null ? null : inventoryAt(sender, exam.inventoryUrl),
    timesPrinted: null,
    process: null,
    mustProve: true as const,
    isOver: () => clock.nowMs() > endsAtMs,
  };
  await runExam(stage, exam.language, async result => {
    results.push(result);
    if (!(await updateExamResults(db, exam, results, EXAM_LEASE_SECONDS))) throw new TakenOver();
  });
  return null;
}

/** One exam from the first probe to the last, written down result by result. */
export async function takeExam(shop: WebhookShop, exam: ClaimedExam): Promise<void> {
  try {
    await updateExamFinished(shop.db, exam, await examine(shop, exam));
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
  }
}
