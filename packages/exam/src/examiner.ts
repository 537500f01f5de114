import { signWebhook, testEvent, type WebhookEvent } from '@coinslot/sdk';
import type { Probe, Reply } from './probe.ts';

type ItemKind = 'item.add' | 'item.remove';
type ItemEvent = WebhookEvent<ItemKind>;

/** Counts how many of a SKU a player has. Null if the exam cannot see it. */
export type CountOf = (playerId: string, sku: string) => Promise<number | null>;

export interface ExamTarget {
  url: URL;
  secret: string;
  /** Never rejects. The reply reports network errors. */
  send: (probe: Probe) => Promise<Reply>;
  /** Part of every player and item name, so that no two exams use the same. */
  runId: string;
  /** Null if the exam cannot see what was granted. */
  countOf: CountOf | null;
  /** Kills the receiver and starts it again. Null if the exam did not start it. */
  crash: (() => Promise<void>) | null;
  /** True once the time is up. The remaining cases are then skipped. */
  isOver?: () => boolean;
}

export interface SignOptions {
  secret?: string;
  previousSecret?: string;
  /** How long ago the request was signed. Negative for the future. */
  ageSeconds?: number;
}

/** What a case uses to test the receiver. */
export interface Examiner {
  target: ExamTarget;
  /** No other case uses this player and SKU. */
  playerId: string;
  sku: string;
  event(kind: ItemKind, more?: { playerId?: string; sku?: string; key?: string; quantity?: number }): ItemEvent;
  sign(body: object | string, options?: SignOptions): Promise<Probe>;
  send(probe: Probe): Promise<Reply>;
  /** Null if the player has that many, or if the exam cannot see it. */
  expectCount(count: number, who?: { playerId?: string; sku?: string }): Promise<string | null>;
}

export const replyText = (reply: Reply): string =>
  reply.kind === 'answer' ? `it answered ${reply.status}` : reply.reason;

/** Null if the receiver answered 2xx. */
export const accepted = (reply: Reply): string | null =>
  reply.kind === 'answer' && reply.status >= 200 && reply.status < 300 ? null : `${replyText(reply)}, not 2xx`;

/** Null if the receiver refused the request itself: 4xx, but not 410, which disables the webhook. */
export function refused(reply: Reply): string | null {
  if (reply.kind === 'none') return reply.reason;
  if (reply.status >= 200 && reply.status < 300) return `it answered ${reply.status}, so the items would be granted`;
  if (reply.status === 410) return 'it answered 410, which disables the webhook';
  return reply.status >= 400 && reply.status < 500 ? null : `it answered ${reply.status}, not 403 or 400`;
}

export function createExaminer(target: ExamTarget, caseName: string): Examiner {
  const playerId = `exam-${target.runId}-${caseName}`;
  const sku = `exam_${caseName}`;
  let made = 0;
  return {
    target,
    playerId,
    sku,
    event(kind, more = {}) {
      made += 1;
      const id = `${target.runId}-${caseName}-${made}`;
      const item = {
        sku: more.sku ?? sku,
        name: null,
        quantity: more.quantity ?? 1,
        price_decimal: 1,
        currency: 'USD',
      };
      const data = {
        player_id: more.playerId ?? playerId,
        items: [item],
        order_id: `ord_${id}`,
        payment_id: `pay_${id}`,
      };
      return testEvent(kind, data, { event_id: `evt_${id}`, idempotency_key: more.key ?? `exam:${id}` });
    },
    async sign(body, { secret = target.secret, previousSecret, ageSeconds = 0 } = {}) {
      const signedAt = new Date(Date.now() - ageSeconds * 1000);
      const signed = await signWebhook({ body, secret, signedAt, ...(previousSecret && { previousSecret }) });
      return { body: signed.rawBody, headers: signed.headers };
    },
    send: probe => target.send(probe),
    async expectCount(count, who = {}) {
      const owned = (await target.countOf?.(who.playerId ?? playerId, who.sku ?? sku)) ?? null;
      return owned === null || owned === count ? null : `the player has ${owned}, not ${count}`;
    },
  };
}
