// Histories that were written by hand, each about one thing that a shop gets wrong. They come before the random ones.

import type { History, MemberAction, Step, WebhookChange } from './steps.ts';
import type { Elsewhere, MoneyCall, MoneyFault, PayOutcome } from './world/bank.ts';
import type { Mood } from './world/moody-game.ts';

/** Times that all histories of a batch let pass at the same moment: they share the clock. */
const JUMPS = [6, 61, 1_000, 4_000, 25_000, 90_000, 400_000] as const;
type Jump = (typeof JUMPS)[number];

/** What a history is about. */
export const TOPICS = ['callers', 'game', 'attempt', 'money', 'bank'] as const;
export type Topic = (typeof TOPICS)[number];

/** Steps one after the other; a number is the time that passes before the next. */
interface Script {
  /** What happens in the very round in which this time passes. */
  late?: readonly [Jump, Step];

  orders?: History['orders'];
  parts: readonly (Step | Jump)[];
}

const order = 0;
const pay = (outcome: PayOutcome = 'authorize', tabs: 1 | 2 = 1): Step => ({
  do: 'pay',
  order,
  outcome,
  tabs,
  isSaved: false,
});
const member = (action: MemberAction): Step => ({ do: 'member', order, action });
const game = (mood: Mood): Step => ({ do: 'game', order, mood });
const there = (what: Elsewhere, callback: 'now' | 'later' | 'never' = 'now'): Step => ({
  do: 'elsewhere',
  order,
  what,
  callback,
});
const fault = (call: MoneyCall, kind: MoneyFault, times: 1 | 3 = 1): Step => ({
  do: 'provider',
  order,
  call,
  fault: kind,
  times,
});
const webhook = (change: WebhookChange): Step => ({ do: 'webhook', change });
const challenge = (answer: 'complete' | 'fail'): Step => ({ do: 'challenge', order, answer });
const look: Step = { do: 'look', order };
const atOnce = (...steps: Step[]): Step => ({ do: 'at once', steps });
const say = (...parts: (Step | Jump)[]): Script => ({ parts });

/** Without an endpoint no player can begin to pay; one that goes while a bank asks leaves a grant that is held. */
const heldPay = [pay('challenge'), webhook('disable'), challenge('complete')] as const;

const SCRIPTS: Readonly<Record<Topic, readonly Script[]>> = {
  // The straight path, and callers that come again.
  callers: [
    say(pay(), look, member('cancel'), look),
    say(pay('authorize', 2), { do: 'create again', order, body: 'same' }, { do: 'create again', order, body: 'other' }),
    say(pay(), member('refund'), look, member('refund'), webhook('replay'), 61, look),
    { orders: ['free'], parts: [pay(), look, member('refund')] },
    {
      orders: ['priced', 'priced'],
      parts: [pay(), { ...pay(), order: 1 } as Step, { do: 'bulk', action: 'refund' }, look],
    },
    say(atOnce(pay(), member('cancel')), look, 61),
    {
      orders: ['priced', 'priced'],
      parts: [
        fault('refund', 'refuse_for_good'),
        pay(),
        { ...pay(), order: 1 } as Step,
        { do: 'bulk', action: 'refund' },
      ],
    },
    say({ do: 'erase' }, pay(), look),
    say(pay(), { do: 'erase' }, 61, { do: 'create again', order, body: 'same' }, member('refund'), look),
    say(pay(), webhook('disable'), member('refund'), { do: 'erase' }, 61, webhook('enable'), 1_000),
    say(game('silent'), pay(), { do: 'erase' }, 61, game('well'), 1_000, { do: 'erase' }),
    say(pay(), atOnce(member('refund'), member('refund'), there('refunded')), 61, look),
  ],
  game: [
    say(game('silent'), pay(), member('cancel'), 61, game('well'), 1_000, look),
    say(game('error'), pay(), 6, 61, 1_000, 4_000, game('well'), 25_000, look),
    say(game('no'), pay(), look, game('well'), 61, webhook('replay')),
    say(game('silent'), pay(), 61, member('refund'), 1_000, game('well')),
    say(game('granted but silent'), pay(), 61, member('release'), 1_000, game('well')),
    say(game('granted but silent'), pay(), 1_000, game('well'), 4_000, look),
    say(game('granted but silent'), pay(), member('refund'), 61, game('well'), 1_000),
    say(...heldPay, 61, webhook('enable'), look),
    say(...heldPay, member('refund'), 61, webhook('enable'), 1_000),
    say(pay(), webhook('disable'), member('refund'), 90_000, 400_000, webhook('enable')),
    say(...heldPay, 90_000, look, 400_000, look),
    say(game('error'), pay(), 90_000, look, 400_000, look),
    say(game('slow'), atOnce(pay(), member('refund')), 61, look),
    say(webhook('fail'), pay(), look, 61, look),
    say(webhook('fail'), pay(), member('refund'), 61, look),
    say(webhook('fail'), game('slow'), pay(), atOnce(member('refund'), look), 61, 1_000),
    say(webhook('fail'), game('silent'), pay(), 61, member('refund'), game('well'), 1_000),
    say(pay(), webhook('fail'), member('refund'), webhook('replay'), 61, 1_000),
    say(game('gone'), pay(), 61, game('well'), webhook('enable'), 1_000),
  ],
  attempt: [
    say(pay('decline'), look, pay(), look),
    say(pay('challenge'), challenge('complete'), look),
    say(pay('challenge'), 1_000, 4_000, pay(), look),
    say(pay('challenge'), challenge('fail'), 61, pay(), look),
    say(pay('process'), 90_000, there('arrives'), look),
    say(pay('lose_answer'), 61, 1_000, look),
    say(pay('lose_request'), 61, 1_000, pay(), look),
    say(pay('stored_error'), 61, 1_000, pay(), look),
    say(pay('other_amount'), look, 61, member('accept'), look),
    { parts: [pay('decline'), there('comes_late'), 61, look] },
    { late: [90_000, pay()], parts: [] },
    say({ ...pay(), isSaved: true } as Step, 61, look),
  ],
  // Capture, release and refund, and a provider that fails at them.
  money: [
    say(fault('capture', 'lose_answer'), pay(), 61, look),
    say(fault('capture', 'lose_request'), pay(), 61, look),
    say(fault('capture', 'refuse_once'), pay(), 61, 4_000, look),
    say(fault('capture', 'refuse_for_good'), pay(), 61, member('void')),
    say(fault('refund', 'lose_answer'), pay(), member('refund'), 61, look),
    say(fault('refund', 'stored_error'), pay(), member('refund'), 61, 4_000, 25_000),
    say(fault('refund', 'refuse_once'), pay(), member('refund'), 61, 25_000, member('refund'), 90_000),
    say(fault('refund', 'refuse_for_good'), pay(), member('refund'), look, 61),
    say(fault('void', 'refuse_once'), game('no'), pay(), 61, 25_000),
    say(game('silent'), pay(), there('captured'), 61, game('well'), 1_000, look),
    say(game('silent'), pay(), there('voided'), 61, game('well'), 1_000, look),
    say(pay(), there('refunded'), look),
    say(pay(), there('refunded', 'never'), 61, 90_000),
    say(pay(), member('refund'), there('refund_fails'), look, 61),
    say(game('silent'), pay(), there('captured'), member('refund'), 61, there('refund_fails'), look),
    say(game('no'), pay('capture_at_once'), challenge('complete'), 61, look),
  ],
  // What a bank says.
  bank: [
    say(pay(), there('warned'), look),
    say(pay(), there('dispute_open'), look, there('dispute_won'), look),
    say(pay(), there('dispute_open'), there('dispute_lost'), look),
    say(pay(), there('dispute_open', 'later'), there('dispute_lost'), look),
    say(pay(), there('dispute_inquiry'), member('refund'), look),
    say(pay(), there('dispute_inquiry'), there('dispute_open'), there('dispute_won'), 90_000),
    say(pay(), there('dispute_unclear'), look),
    say(pay(), there('dispute_prevented'), look, 61, member('refund')),
    say(pay(), there('dispute_part'), look, there('dispute_lost'), look),
    say(pay(), there('dispute_part'), there('dispute_won'), there('dispute_again'), there('dispute_lost'), look),
    say(pay(), there('dispute_part'), there('dispute_lost'), there('dispute_again'), look, 90_000),
    say(pay(), there('dispute_open'), there('dispute_won'), there('dispute_again'), there('dispute_lost'), look),
    say(pay(), there('dispute_open'), there('dispute_won'), there('dispute_again'), there('dispute_won'), look),
    say(pay(), member('refund'), there('dispute_open'), look, there('dispute_lost'), 61),
    say(pay(), member('refund'), there('dispute_open'), there('dispute_won'), 61),
    say(pay(), there('refunded'), there('dispute_lost'), 61),
    say(pay(), member('refund'), there('refund_fails'), there('dispute_open'), there('dispute_won'), look),
    say(pay(), member('refund'), there('dispute_open', 'never'), 90_000, 400_000),
    say(pay(), member('refund'), there('dispute_lost', 'never'), 90_000, 400_000),
    say(pay(), there('dispute_part', 'never'), 90_000, there('dispute_lost', 'never'), 400_000),
    say(
      pay(),
      fault('refund', 'lose_request', 3),
      member('refund'),
      there('dispute_open'),
      61,
      there('dispute_lost'),
      90_000,
    ),
    say(game('no'), pay('capture_at_once'), challenge('complete'), there('dispute_lost'), 61),
    say(game('silent'), pay('capture_at_once'), challenge('complete'), there('dispute_open'), 61, game('well'), 1_000),
  ],
};

const WAIT: Step = { do: 'wait' };

/** Steps between two jumps, of one history. */
function segmentsOf({ parts }: Script): Step[][] {
  const segments: Step[][] = Array.from({ length: JUMPS.length + 1 }, () => []);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'number') at = JUMPS.indexOf(part) + 1;
    else segments[at]!.push(part);
  }
  return segments;
}

/** Laid out so that every history jumps in the same round as its neighbors. */
function together(scripts: readonly Script[], provider: History['provider']): History[] {
  const laid = scripts.map(segmentsOf);
  const lengths = [0, ...JUMPS].map((_, at) => Math.max(0, ...laid.map(segments => segments[at]!.length)));
  return scripts.map(({ orders = ['priced'], late }, i) => ({
    provider,
    orders,
    steps: lengths.flatMap((length, at): Step[] => [
      ...(at > 0
        ? [late && late[0] === JUMPS[at - 1] ? late[1] : { do: 'later' as const, seconds: JUMPS[at - 1]! }]
        : []),
      ...laid[i]![at]!,
      ...Array.from({ length: length - laid[i]![at]!.length }, () => WAIT),
    ]),
  }));
}

const PROVIDERS: readonly History['provider'][] = ['books', 'stripe', 'paypal'];

/** Those of the topic first, and of each those of the plainest provider. */
export function directedBatches(first: Topic = 'callers'): History[][] {
  const topics = [first, ...TOPICS.filter(topic => topic !== first)];
  const batches = topics.map(topic => PROVIDERS.map(provider => together(SCRIPTS[topic], provider)));
  // A mistake in the topic shows with any provider; one that is a provider's own comes last.
  return [...batches[0]!, ...PROVIDERS.flatMap((_, at) => batches.slice(1).map(ofTopic => ofTopic[at]!))];
}

/**
 * One batch for each topic with every provider: a round takes as long for few histories as for many. Those after which the
 * books of every game are compared come first, while there are few games.
 */
export const directedTopics = (): History[][] =>
  TOPICS.toReversed().map(topic => PROVIDERS.flatMap(provider => together(SCRIPTS[topic], provider)));
