import { createHmac } from 'node:crypto';
import { signWebhook, testEvent, type WebhookEvent } from '@coinslot/sdk';
import { type Probe, pause, type Reply } from './probe.ts';

export type ItemKind = 'item.add' | 'item.remove';
type ItemEvent = WebhookEvent<ItemKind>;
export type Probing = Probe | Promise<Probe>;

/** Counts how many of a SKU a player has, after an event of this kind. Null if the exam cannot see it. */
export type CountOf = (playerId: string, sku: string, after: ItemKind) => Promise<number | null>;

/** A receiver that the exam started itself. */
export interface ExamProcess {
  /** Kills the receiver and starts it again. */
  crash(): Promise<void>;
  /** Starts it with another secret. False if it does not answer then, because it ended itself. */
  startWith(secret: string): Promise<boolean>;
  /** How the receiver ended by itself, such as `exit code 1`, or null while it runs. */
  ended(): string | null;
}

export interface ExamTarget {
  url: URL;
  secret: string;
  /** Never rejects. The reply reports network errors. */
  send: (probe: Probe) => Promise<Reply>;
  /** Part of every player and item name, so that no two exams use the same. */
  runId: string;
  /** Null if the exam cannot see what was granted. */
  countOf: CountOf | null;
  /** How often the receiver printed that it granted, if the exam reads its output in place of an inventory. */
  timesPrinted: ((playerId: string, sku: string) => Promise<number>) | null;
  /** Null if the exam did not start the receiver. */
  process: ExamProcess | null;
  /** True once the time is up. The remaining cases are then skipped. */
  isOver?: () => boolean;
  /** The address may be a stranger's: most cases are only sent once it has shown that it knows the secret. */
  mustProve?: true;
}

export interface SignOptions {
  secret?: string;
  previousSecret?: string;
  /** How long ago the request was signed. Negative for the future. */
  ageSeconds?: number;
}

interface EventOptions {
  playerId?: string;
  sku?: string;
  quantity?: number;
  /** Which of this case's orders. Each event has an order of its own if none is named. */
  order?: string;
  grant?: 'confirmed' | 'unknown';
}

/** What a case uses to test the receiver. */
export interface Examiner {
  target: ExamTarget;
  /** No other case uses this player and SKU. */
  playerId: string;
  sku: string;
  event(kind: ItemKind, more?: EventOptions): ItemEvent;
  sign(body: object | string, options?: SignOptions): Promise<Probe>;
  /** A request signed with a secret that the SDK refuses to sign with, such as an empty one. */
  forge(body: object, secret: string): Probe;
  send(probe: Probe): Promise<Reply>;
  /** Signs and sends, again while the receiver says that it is busy. */
  deliver(body: object | string): Promise<Reply>;
  /** What the player has now, or null if the exam cannot see it. */
  held(who?: { playerId?: string; sku?: string }): Promise<number | null>;
  /** Null if the player has that many within a moment, or if the exam cannot see it. */
  expectCount(count: number, who?: { playerId?: string; sku?: string }): Promise<string | null>;
  /** The exam had to see what was granted, and could not. */
  isBlind(): boolean;
  /** The verdict is about something that the exam could not see here. */
  cannotSee(): null;
}

/** A receiver that answered may still print, or still save what another case asks about. */
const PATIENCE_MS = 2_000;
const EVERY_MS = 100;
const BUSY = [409, 425, 429, 503];
const BUSY_TRIES = 12;
const UNPROVEN_TRIES = 2;
const BUSY_PAUSE_MS = 500;

function itemEvent(kind: ItemKind, id: string, about: EventOptions & { playerId: string; order: string }): ItemEvent {
  const { playerId, sku = '', quantity = 1, order, grant = 'unknown' } = about;
  const data = {
    player_id: playerId,
    items: [{ sku, name: null, quantity, price_decimal: 1, currency: 'USD' }],
    order_id: `ord_${order}`,
    payment_id: `pay_${order}`,
    ...(kind === 'item.remove' && { grant }),
  };
  return testEvent(kind, data, { event_id: `evt_${id}`, idempotency_key: `exam:${id}` });
}

function forge(body: object, secret: string): Probe {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex');
  const headers = {
    'x-service-signature-timestamp': timestamp,
    'x-service-signature': signature,
    'x-service-signature-previous': signature,
  };
  return { body: text, headers };
}

/** Only a receiver that knows the secret passes all of these: it answers, accepts what is signed and refuses a forgery. */
export const PROOF: readonly string[] = ['in_time', 'right', 'wrong_signature'];

export function createExaminer(target: ExamTarget, caseName: string): Examiner {
  const playerId = `exam-${target.runId}-${caseName}`;
  const sku = `exam_${caseName}`;
  let made = 0;
  let last: ItemKind = 'item.add';
  let blind = false;
  const busyTries = target.mustProve && PROOF.includes(caseName) ? UNPROVEN_TRIES : BUSY_TRIES;

  const sign: Examiner['sign'] = async (body, { secret = target.secret, previousSecret, ageSeconds = 0 } = {}) => {
    const signedAt = new Date(Date.now() - ageSeconds * 1000);
    const signed = await signWebhook({ body, secret, signedAt, ...(previousSecret && { previousSecret }) });
    return { body: signed.rawBody, headers: signed.headers };
  };

  const held: Examiner['held'] = async (who = {}) => {
    const owned = (await target.countOf?.(who.playerId ?? playerId, who.sku ?? sku, last)) ?? null;
    if (owned === null) blind = true;
    return owned;
  };

  return {
    target,
    playerId,
    sku,
    event(kind, more = {}) {
      made += 1;
      last = kind;
      const order = `${target.runId}-${caseName}-${more.order ?? `own-${made}`}`;
      return itemEvent(kind, `${target.runId}-${caseName}-${made}`, { playerId, sku, ...more, order });
    },
    sign,
    forge,
    send: probe => target.send(probe),
    async deliver(body) {
      for (let tries = 1; ; tries += 1) {
        const reply = await target.send(await sign(body));
        if (reply.kind === 'none' || !BUSY.includes(reply.status) || tries === busyTries) return reply;
        await pause(BUSY_PAUSE_MS);
      }
    },
    held,
    async expectCount(count, who = {}) {
      let right = 0;
      for (let waitedMs = 0; ; waitedMs += EVERY_MS) {
        const owned = await held(who);
        if (owned === null) return null;
        right = owned === count ? right + 1 : 0;
        // Twice in a row: what was printed or granted a moment ago may still be on its way.
        if (right === 2) return null;
        if (waitedMs >= PATIENCE_MS) return `the player has ${owned}, not ${count}`;
        await pause(EVERY_MS);
      }
    },
    isBlind: () => blind,
    cannotSee() {
      blind = true;
      return null;
    },
  };
}
