import { signWebhook, testEvent, type WebhookEvent } from '@coinslot/sdk';
import type { Probe, Reply } from './probe.ts';

type ItemKind = 'item.add' | 'item.remove';
type ItemEvent = WebhookEvent<ItemKind>;

/** How many of a sku a player holds; null when the exam cannot see it. */
export type CountOf = (playerId: string, sku: string) => Promise<number | null>;

export interface Stage {
  url: URL;
  secret: string;
  /** Never rejects: whatever happens on the way is told in the reply. */
  send: (probe: Probe) => Promise<Reply>;
  /** Makes names that no earlier exam used. */
  runId: string;
  /** Null when grants cannot be seen. */
  countOf: CountOf | null;
  /** Kills the receiver and starts it again; null when the exam did not start it. */
  crash: (() => Promise<void>) | null;
  /** True once there is no more time: what was not tried by then is left out. */
  isOver?: () => boolean;
}

export interface SignOptions {
  secret?: string;
  previousSecret?: string;
  /** How long ago it was signed; negative is ahead. */
  ageSeconds?: number;
}

/** What a case uses to try the receiver. A case answers with what went wrong, or null. */
export interface Examiner {
  stage: Stage;
  /** Player and sku of this case alone. */
  playerId: string;
  sku: string;
  event(kind: ItemKind, more?: { playerId?: string; sku?: string; key?: string; quantity?: number }): ItemEvent;
  sign(body: object | string, options?: SignOptions): Promise<Probe>;
  send(probe: Probe): Promise<Reply>;
  /** Null when there is nothing to complain about: the player holds that many, or it cannot be seen. */
  holds(count: number, who?: { playerId?: string; sku?: string }): Promise<string | null>;
}

export const saidOf = (reply: Reply): string =>
  reply.kind === 'answer' ? `it answered ${reply.status}` : reply.reason;

/** Null for a 2xx. */
export const accepted = (reply: Reply): string | null =>
  reply.kind === 'answer' && reply.status >= 200 && reply.status < 300 ? null : `${saidOf(reply)}, not 2xx`;

/** Null for a no that is not final: 4xx, but neither 410 nor a decline. */
export function refused(reply: Reply): string | null {
  if (reply.kind === 'none') return reply.reason;
  if (reply.status >= 200 && reply.status < 300) return `it answered ${reply.status}, so the items would be granted`;
  if (reply.status === 410) return 'it answered 410, which disables the webhook';
  return reply.status >= 400 && reply.status < 500 ? null : `it answered ${reply.status}, not 403 or 400`;
}

export function createExaminer(stage: Stage, caseName: string): Examiner {
  const playerId = `exam-${stage.runId}-${caseName}`;
  const sku = `exam_${caseName}`;
  let made = 0;
  return {
    stage,
    playerId,
    sku,
    event(kind, more = {}) {
      made += 1;
      const id = `${stage.runId}-${caseName}-${made}`;
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
    async sign(body, { secret = stage.secret, previousSecret, ageSeconds = 0 } = {}) {
      const signedAt = new Date(Date.now() - ageSeconds * 1000);
      const signed = await signWebhook({ body, secret, signedAt, ...(previousSecret && { previousSecret }) });
      return { body: signed.rawBody, headers: signed.headers };
    },
    send: probe => stage.send(probe),
    async holds(count, who = {}) {
      const held = (await stage.countOf?.(who.playerId ?? playerId, who.sku ?? sku)) ?? null;
      return held === null || held === count ? null : `the player holds ${held}, not ${count}`;
    },
  };
}
