import type { WebhookEvent } from '../event-shapes.ts';
import type { EventKind } from '../word-shapes.ts';
import { isDeclined } from './decline.ts';
import type { SqlQuery, WebhookOutcome, WebhookStore } from './webhook-store.ts';

export interface WebhookContext {
  /** Number of the service's attempt, from 1. */
  attempt: number;
  /**
   * Marks the webhook as handled inside your own transaction: pass the transaction's query function as the last step. Then
   * the grant and the mark are saved together or not at all.
   */
  finishIn(query: SqlQuery): Promise<void>;
}

/** Returns when done; returns or throws `decline(…)` to decline for good; any other error makes the service try again. */
export type EventHandler<K extends EventKind> = (event: WebhookEvent<K>, context: WebhookContext) => unknown;

export type EventHandlers = { [K in EventKind]?: EventHandler<K> };

export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const answer = (status: number, body: object, headers: Record<string, string> = {}): WebhookAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const NOT_NOW = { 'retry-after': '2' };

const answerFor = ({ declined }: WebhookOutcome): WebhookAnswer =>
  declined === null ? answer(200, { status: 'ok' }) : answer(422, { code: 'declined', message: declined });

export interface RunOnce {
  store: WebhookStore;
  handlers: EventHandlers;
  report: (error: unknown, event: WebhookEvent) => void;
}

/** A handler can return or throw `decline(…)`. */
async function outcomeOf(
  handle: EventHandler<EventKind>,
  event: WebhookEvent,
  context: WebhookContext,
): Promise<WebhookOutcome> {
  try {
    const result = await handle(event, context);
    return { declined: isDeclined(result) ? result.message : null };
  } catch (error) {
    if (isDeclined(error)) return { declined: error.message };
    throw error;
  }
}

const ACCEPTED: WebhookOutcome = { declined: null };
const COUNTERPART = { 'item.add': 'item.remove', 'item.remove': 'item.add' } as const;

type ItemEvent = WebhookEvent<'item.add' | 'item.remove'>;
const isItemEvent = (event: WebhookEvent): event is ItemEvent => Object.hasOwn(COUNTERPART, event.event_type);

/** What an item event does, as the store knows it. */
const subjectOf = (event: WebhookEvent): string | null =>
  isItemEvent(event) && event.event_data.order_id ? `${event.event_type} ${event.event_data.order_id}` : null;

/**
 * The removal of a purchase that never arrived would take what the player owned before, so it is ignored; and a purchase
 * that arrives after its removal was refunded. `grant` is `confirmed` if this game once accepted the purchase.
 */
async function whatToDo(store: WebhookStore, event: WebhookEvent): Promise<'run' | 'ignore' | 'wait'> {
  if (!isItemEvent(event) || subjectOf(event) === null) return 'run';
  const { order_id: orderId, grant } = event.event_data as ItemEvent['event_data'] & { grant?: string };
  const isRemoval = event.event_type === 'item.remove';
  if (isRemoval && grant === 'confirmed') return 'run';
  const other = await store.find(`${COUNTERPART[event.event_type]} ${orderId}`);
  if (other.state === 'busy') return 'wait';
  const happened = other.state === 'done' && other.outcome.declined === null;
  return happened === isRemoval ? 'run' : 'ignore';
}

/** Handles each event once, even if it arrives twice at the same time or again after a crash. */
export function createRunOnce({ store, handlers, report }: RunOnce) {
  const underWay = new Map<string, Promise<WebhookAnswer>>();

  async function run(event: WebhookEvent, claim: string, attempt: number): Promise<WebhookAnswer> {
    const key = event.idempotency_key;
    const context: WebhookContext = {
      attempt,
      finishIn: query => store.finish(key, claim, { declined: null }, query),
    };
    try {
      const outcome = await outcomeOf(handlers[event.event_type] as EventHandler<EventKind>, event, context);
      await store.finish(key, claim, outcome);
      return answerFor(outcome);
    } catch (error) {
      report(error, event);
      await store.fail(key, claim).catch((failure: unknown) => report(failure, event));
      return answer(500, { error: 'handler_failed' });
    }
  }

  async function claimAndRun(event: WebhookEvent, attempt: number): Promise<WebhookAnswer> {
    const key = event.idempotency_key;
    try {
      const begun = await store.begin(key, subjectOf(event));
      if (begun.state === 'done') return answerFor(begun.outcome);
      if (begun.state === 'busy') return answer(503, { error: 'in_progress' }, NOT_NOW);
      const what = await whatToDo(store, event);
      if (what === 'run') return await run(event, begun.claim, attempt);
      if (what === 'ignore') await store.finish(key, begun.claim, ACCEPTED);
      else await store.fail(key, begun.claim);
      return what === 'ignore' ? answerFor(ACCEPTED) : answer(503, { error: 'in_progress' }, NOT_NOW);
    } catch (error) {
      report(error, event);
      return answer(503, { error: 'store_failed' }, NOT_NOW);
    }
  }

  /** A duplicate that arrives while the first is being handled here gets the same response. */
  return (event: WebhookEvent, attempt: number): Promise<WebhookAnswer> => {
    const key = event.idempotency_key;
    const found = underWay.get(key);
    if (found) return found;
    const answered = claimAndRun(event, attempt).finally(() => underWay.delete(key));
    underWay.set(key, answered);
    return answered;
  };
}
