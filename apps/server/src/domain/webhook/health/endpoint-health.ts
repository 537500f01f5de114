import { type RowOf, table, typed } from '../../../db/statement.ts';
import type { Delivery, Lane } from '../delivery/delivery.sql.ts';
import { MOST_AT_ONCE } from '../sending/receiver-slots.ts';

/** How many an endpoint gets at once when it is just back; twice as many whenever it has answered that many. */
const FIRST_AT_ONCE = 4;

/** So many attempts in a row, without an answer between, and a game that only fails for some of its orders is not taken for down. */
const DOWN_AFTER = 8;

const SECOND_MS = 1_000;
const SHORTEST_PROBE_MS = 5 * SECOND_MS;
const LONGEST_PROBE_MS = 60 * SECOND_MS;
const LONGEST_ASKED_MS = 3_600 * SECOND_MS;

export const HEALTH = table('endpoint_health', {
  endpoint: 'text',
  environmentId: 'text',
  lane: typed<Lane>('text'),
  state: typed<'suspect' | 'down' | 'back'>('text'),
  /** The order, or the delivery of none, that failed first. */
  firstFailed: 'text',
  failingSince: 'timestamptz',
  nextProbeAt: 'timestamptz',
  backAt: 'timestamptz?',
  isReleased: 'boolean',
  slots: 'int',
  answered: 'int',
  /** In a row, those of the first that failed not counted. */
  failures: 'int',
});

export type EndpointHealth = RowOf<typeof HEALTH>;

/** What one attempt says about the endpoint. A refusal of the items is an answer like any other. */
export interface EndpointAnswer extends Pick<EndpointHealth, 'endpoint' | 'environmentId' | 'lane'> {
  /** Its order, or itself where it is about none. */
  about: string;
  isWell: boolean;
  retryAfterSeconds: number | null;
}

/** As claims name endpoints: all items of an environment go to one. */
export const endpointOf = ({ lane, environmentId, subscriptionId }: Delivery): string =>
  lane === 'items' ? environmentId : (subscriptionId ?? '');

/** A tenth of the time that it has been down, so that a short outage is noticed to be over at once; never before it asked. */
function nextProbe({ failingSince }: Pick<EndpointHealth, 'failingSince'>, answer: EndpointAnswer, now: Date): Date {
  const tenthMs = (now.getTime() - failingSince.getTime()) / 10;
  const pauseMs = Math.min(Math.max(tenthMs, SHORTEST_PROBE_MS), LONGEST_PROBE_MS);
  const askedMs = Math.min((answer.retryAfterSeconds ?? 0) * SECOND_MS, LONGEST_ASKED_MS);
  return new Date(now.getTime() + Math.max(pauseMs, askedMs));
}

/** The first failure: it may be the matter of that one order, so nothing is held back yet. */
export function suspectAfter(answer: EndpointAnswer, now: Date): EndpointHealth {
  const { endpoint, environmentId, lane, about } = answer;
  const known = { endpoint, environmentId, lane, firstFailed: about, failingSince: now };
  const limits = { slots: MOST_AT_ONCE, answered: 0, failures: 0, isReleased: false, backAt: null };
  return { ...known, ...limits, state: 'suspect', nextProbeAt: nextProbe(known, answer, now) };
}

const downAfter = (before: EndpointHealth, answer: EndpointAnswer, now: Date): EndpointHealth => ({
  ...before,
  nextProbeAt: nextProbe(before, answer, now),
  state: 'down',
  slots: 1,
  answered: 0,
  isReleased: false,
  backAt: null,
});

function failed(before: EndpointHealth, answer: EndpointAnswer, now: Date): EndpointHealth {
  if (before.state === 'down') return downAfter(before, answer, now);
  if (answer.about === before.firstFailed) return before;
  const failures = before.failures + 1;
  const failingSince = before.state === 'back' && failures === 1 ? now : before.failingSince;
  const failing = { ...before, failures, failingSince };
  if (failures >= DOWN_AFTER) return downAfter(failing, answer, now);
  if (before.state === 'suspect') return failing;
  return { ...failing, slots: Math.max(FIRST_AT_ONCE, Math.floor(before.slots / 2)), answered: 0 };
}

function well(before: EndpointHealth, now: Date): EndpointHealth {
  const back = { ...before, state: 'back', backAt: now, isReleased: false, answered: 0, failures: 0 } as const;
  if (before.state === 'suspect') return { ...back, slots: MOST_AT_ONCE };
  if (before.state === 'down') return { ...back, slots: FIRST_AT_ONCE };
  const answered = before.answered + 1;
  if (answered < before.slots) return { ...before, answered, failures: 0 };
  return { ...before, answered: 0, failures: 0, slots: Math.min(MOST_AT_ONCE, before.slots * 2) };
}

/**
 * What an answer makes of an endpoint that had failed. While it is down one request at a time goes out; its first answer
 * brings forward what waits, and it gets more at once with every batch that it answers.
 */
export const healthAfter = (before: EndpointHealth, answer: EndpointAnswer, now: Date): EndpointHealth =>
  answer.isWell ? well(before, now) : failed(before, answer, now);
