import fc from 'fast-check';
import type { Elsewhere, MoneyCall, MoneyFault, PayOutcome } from './world/bank.ts';
import { MOODS, type Mood } from './world/moody-game.ts';

type OrderNumber = 0 | 1;

/** One thing that a player, a member, the game, the provider or the world does. Nothing here says what must come of it. */
export type Step =
  | { do: 'pay'; order: OrderNumber; outcome: PayOutcome; tabs: 1 | 2; isSaved: boolean }
  | { do: 'pay saved'; order: OrderNumber }
  | { do: 'give up'; order: OrderNumber }
  | { do: 'challenge'; order: OrderNumber; answer: 'complete' | 'fail' }
  | { do: 'look'; order: OrderNumber }
  | { do: 'create again'; order: OrderNumber; body: 'same' | 'other' }
  | { do: 'game'; order: OrderNumber; mood: Mood }
  | { do: 'member'; order: OrderNumber; action: MemberAction }
  | { do: 'webhook'; change: WebhookChange }
  | { do: 'provider'; order: OrderNumber; call: MoneyCall; fault: MoneyFault; times: 1 | 3 }
  /** `never`: the callback is lost. */
  | { do: 'elsewhere'; order: OrderNumber; what: Elsewhere; callback: 'now' | 'later' | 'never' }
  /** To all orders that can take it. */
  | { do: 'bulk'; action: BulkAction }
  /** The player of all orders wants to be forgotten. */
  | { do: 'erase' }
  | { do: 'hear'; order: OrderNumber; times: 1 | 2 | 3; isReversed: boolean }
  | { do: 'later'; seconds: number }
  | { do: 'wait' }
  | { do: 'at once'; steps: readonly Step[] }
  | { do: 'kill'; program: 0 | 1; afterStatements: number };

export type MemberAction =
  | 'refund'
  | 'cancel'
  | 'release'
  | 'retry'
  | 'accept'
  | 'ask_again'
  | 'void'
  | 'settle_elsewhere'
  | 'refund again';
export type BulkAction = 'refund' | 'release';
/** `fail`: orders of other players were not answered there, so that it gets one request at a time until it answers. */
export type WebhookChange = 'fail' | 'enable' | 'disable' | 'rotate' | 'replace' | 'delete' | 'replay';

export interface History {
  /** Behind the gateway's interface, or a double on the provider's own wire. */
  provider: 'books' | 'stripe' | 'paypal';
  orders: ('priced' | 'free')[];
  steps: Step[];
}

const order = fc.constantFrom<OrderNumber>(0, 0, 0, 1);

const OUTCOMES: PayOutcome[] = [
  'authorize',
  'authorize',
  'authorize',
  'capture_at_once',
  'capture_at_once',
  'process',
  'challenge',
  'decline',
  'shop_fault',
  'other_amount',
  'lose_request',
  'lose_answer',
  'stored_error',
];
const ELSEWHERE: Elsewhere[] = [
  'captured',
  'voided',
  'refunded',
  'refund_fails',
  'arrives',
  'comes_late',
  'warned',
  'dispute_inquiry',
  'dispute_open',
  'dispute_won',
  'dispute_lost',
  'dispute_unclear',
  'dispute_prevented',
  'dispute_part',
  'dispute_again',
];
/** A moment, past a lease, past a challenge, an hour, a few hours, past the life of an order, past the last retry. */
const JUMPS = [6, 6, 61, 61, 61, 1_000, 1_000, 4_000, 4_000, 25_000, 90_000, 400_000];
const FURTHEST_KILL = 120;

const pay = fc.record({
  do: fc.constant('pay' as const),
  order,
  outcome: fc.constantFrom(...OUTCOMES),
  tabs: fc.constantFrom<1 | 2>(1, 1, 2),
  isSaved: fc.boolean(),
});
const member = fc.record({
  do: fc.constant('member' as const),
  order,
  action: fc.constantFrom<MemberAction>(
    'refund',
    'refund',
    'refund',
    'cancel',
    'release',
    'retry',
    'accept',
    'ask_again',
    'void',
    'settle_elsewhere',
    'refund again',
  ),
});
const refusing = fc.record({
  do: fc.constant('provider' as const),
  order,
  call: fc.constantFrom<MoneyCall>('capture', 'void', 'refund', 'refund'),
  fault: fc.constantFrom<MoneyFault>(
    'refuse_for_good',
    'refuse_once',
    'lose_request',
    'lose_answer',
    'stored_error',
    'slow',
  ),
  times: fc.constantFrom<1 | 3>(1, 1, 3),
});
const elsewhere = fc.record({
  do: fc.constant('elsewhere' as const),
  order,
  what: fc.constantFrom(...ELSEWHERE),
  callback: fc.constantFrom<'now' | 'later' | 'never'>('now', 'now', 'later', 'never'),
});
const game = fc.record({ do: fc.constant('game' as const), order, mood: fc.constantFrom(...MOODS) });
const others = [
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('challenge' as const),
      order,
      answer: fc.constantFrom<'complete' | 'fail'>('complete', 'complete', 'fail'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), order }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('give up' as const), order }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay saved' as const), order }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('create again' as const),
      order,
      body: fc.constantFrom<'same' | 'other'>('same', 'other'),
    }),
  },
  { weight: 4, arbitrary: game },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('webhook' as const),
      change: fc.constantFrom<WebhookChange>(
        'fail',
        'fail',
        'enable',
        'enable',
        'disable',
        'rotate',
        'replace',
        'delete',
        'replay',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('hear' as const),
      order,
      times: fc.constantFrom<1 | 2 | 3>(1, 2, 3),
      isReversed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'erase' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('bulk' as const),
      action: fc.constantFrom<BulkAction>('refund', 'refund', 'release'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('later' as const), seconds: fc.constantFrom(...JUMPS) }),
  },
];
/** What people do to the same order at the same moment. */
const racing: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ do: 'pay', order: 0, outcome: 'authorize', tabs: 1, isSaved: false }),
  fc
    .constantFrom<MemberAction>('refund', 'cancel', 'release')
    .map((action): Step => ({ do: 'member', order: 0, action })),
  fc.constant<Step>({ do: 'hear', order: 0, times: 2, isReversed: true }),
  fc.constant<Step>({ do: 'create again', order: 0, body: 'same' }),
  fc
    .constantFrom<Elsewhere>('voided', 'refunded', 'dispute_open', 'dispute_lost')
    .map((what): Step => ({ do: 'elsewhere', order: 0, what, callback: 'now' })),
);
const rush = fc.record({
  do: fc.constant('at once' as const),
  steps: fc.array(racing, { minLength: 2, maxLength: 3 }),
});
const kill = fc.record({
  do: fc.constant('kill' as const),
  program: fc.constantFrom<0 | 1>(0, 1),
  afterStatements: fc.integer({ min: 0, max: FURTHEST_KILL }),
});

const providers = fc.constantFrom<History['provider']>('books', 'books', 'books', 'stripe', 'stripe', 'paypal');
const orders = fc.constantFrom<History['orders']>(
  ['priced'],
  ['priced'],
  ['priced'],
  ['priced', 'priced'],
  ['priced', 'free'],
  ['free'],
);

function historiesOf(kills: number): fc.Arbitrary<History> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: pay },
    { weight: 4, arbitrary: member },
    { weight: 3, arbitrary: refusing },
    { weight: 4, arbitrary: elsewhere },
    { weight: 4, arbitrary: rush },
    ...others,
    ...(kills > 0 ? [{ weight: kills, arbitrary: kill }] : []),
  );
  // Most histories begin with a player who pays, else few would come to the places where money can be lost.
  const failing = fc.constant<Step>({ do: 'webhook', change: 'fail' });
  const opening = fc.tuple(fc.array(fc.oneof(game, refusing, failing), { maxLength: 1 }), pay);
  // What money histories turn on: it was taken, it is asked back, and the provider says no.
  const refunding = fc
    .tuple(pay, fc.constantFrom<MoneyFault>('refuse_for_good', 'refuse_once', 'stored_error', 'lose_answer'))
    .map(([paying, fault]): Step[] => [
      { do: 'provider', order: paying.order, call: 'refund', fault, times: 1 },
      { ...paying, outcome: 'authorize' },
      { do: 'member', order: paying.order, action: 'refund' },
    ]);
  const openings = fc.oneof(
    { weight: 4, arbitrary: opening.map(([first, paying]): Step[] => [...first, paying]) },
    { weight: 1, arbitrary: refunding },
  );
  const rest = fc.array(step, { minLength: 1, maxLength: 12, size: 'max' });
  return fc.tuple(providers, orders, fc.option(openings, { freq: 5 }), rest).map(([provider, kinds, first, more]) => ({
    provider,
    orders: kinds,
    steps: [...(first ?? []), ...more],
  }));
}

export const histories = historiesOf(0);
export const historiesWithKills = historiesOf(4);
