import { ORDER_STATUSES } from '../order-statuses.ts';
import { PAYMENT_STATUSES } from '../payment-statuses.ts';
import { Attention } from '../payments.ts';
import { givenTime, LIMITS, named, nullable, oneLine, oneOf, opaqueId, outsideId, paging, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { ConnectionCheck } from './provider.ts';
import { Difference } from './reconciliation.ts';
import { ceremonyPart, password } from './session.ts';

export const ATTENTION_ACTIONS = [
  /** Asks the provider or the game again for what it refused or did not answer. */
  'ask_again',
  /** Returns the money: refunds what was captured and voids what was authorized. */
  'refund',
  /** Voids the authorization. The order is rejected and its items are revoked. */
  'void',
  /** The captured amount becomes the order's amount. */
  'accept',
  /** It was settled at the provider or with the player, and the reason is recorded. */
  'settle_elsewhere',
] as const;
export type AttentionAction = (typeof ATTENTION_ACTIONS)[number];

/** How far ahead something can be snoozed. */
export const MOST_SNOOZED_DAYS = 90;

export const AttentionMark = named(
  'AttentionMark',
  {
    assignee: nullable(
      named(
        'Assignee',
        {
          user_id: opaqueId('usr', 'The member.'),
          name: Type.String({ description: 'The member’s name.' }),
          email: Type.String({ description: 'The member’s e-mail address.' }),
        },
        'The member who is on it.',
      ),
    ),
    is_snoozed: Type.Boolean({ description: 'Whether it is out of the list and the count now.' }),
    snoozed_until: nullable(time('Until when. A time in the past: it is back.')),
    note: nullable(Type.String({ description: 'Why it was snoozed.' })),
    snoozed_by: nullable(Type.String({ description: 'Who snoozed it.' })),
  },
  'Who is on it, and until when it is snoozed. It holds for one cause: when something else happens, it is gone.',
);
export type AttentionMark = Static<typeof AttentionMark>;

const mark = nullable(AttentionMark);

export const AttentionItem = named(
  'AttentionItem',
  {
    payment_id: opaqueId('pay', 'The payment.'),
    order_id: opaqueId('ord', 'Its order.'),
    player_id: Type.String({ description: 'The player.' }),
    amount: Type.Integer({ description: 'In minor units.' }),
    currency: Type.String(),
    status: oneOf(PAYMENT_STATUSES, 'Where the payment stands.'),
    order_status: oneOf(ORDER_STATUSES, 'Where the order stands.'),
    attention: nullable(Attention),
    actions: Type.Array(oneOf(ATTENTION_ACTIONS, 'What may be done.'), {
      description: 'What the signed-in member may do now, the most useful first.',
    }),
    mark,
  },
  'Money that waits for a person: what happened, what happens next and when, and what can be done.',
);
export type AttentionItem = Static<typeof AttentionItem>;

const BrokenConnection = named(
  'BrokenConnection',
  {
    provider: Type.String({ description: 'The provider.' }),
    title: Type.String({ description: 'The provider’s own name.' }),
    account_id: Type.String({ description: 'The account at the provider.' }),
    failing_since: time('Since when.'),
    checks: Type.Array(ConnectionCheck, { description: 'What is broken, and what to do.' }),
    mark,
  },
  'A payment provider whose connection test fails.',
);

const AttentionDifference = named(
  'AttentionDifference',
  { ...Difference.properties, mark },
  'A difference between our record and the provider’s that no member has settled yet.',
);
export type AttentionDifference = Static<typeof AttentionDifference>;

/** `open` is what the count counts; `mine` is what of it the signed-in member is on. */
export const ATTENTION_VIEWS = ['open', 'mine', 'snoozed'] as const;
export type AttentionView = (typeof ATTENTION_VIEWS)[number];

export const AttentionPage = named(
  'AttentionPage',
  {
    data: Type.Array(AttentionItem, { description: 'Newest first.' }),
    next_cursor: nullable(
      Type.String({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
    ),
    count: Type.Integer({
      description:
        'How many are open: payments, differences and connections. Of payments and of differences at most 1,000 each.',
    }),
    snoozed: Type.Integer({ description: 'How many are snoozed, counted in the same way.' }),
    connections: Type.Array(BrokenConnection, {
      description: 'In live: the company’s payment providers whose daily test fails.',
    }),
    differences: Type.Array(AttentionDifference, {
      description:
        'In live: open differences of this game’s payments, and of what belongs to no game, newest first; the first 100. Empty below the role support.',
    }),
  },
  'One page of what needs attention.',
);
export type AttentionPage = Static<typeof AttentionPage>;

const PATH = '/dashboard/api/games/{game_id}/{mode}/attention';

export const attentionEndpoints = {
  listAttention: dashboardEndpoint({
    name: 'list_attention',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: PATH,
    summary: 'The one list of what needs attention: payments, differences and connections, newest first.',
    query: Type.Object({
      ...paging,
      view: Type.Optional(oneOf(ATTENTION_VIEWS, 'Which of it. Without it, what is open.')),
    }),
    response: {
      status: 200,
      description: 'One page.',
      schema: AttentionPage,
    },
    errors: [],
  }),
  actOnAttention: dashboardEndpoint({
    name: 'act_on_attention',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: `${PATH}/{payment_id}`,
    summary: 'Acts on a payment that needs attention.',
    params: Type.Object({ payment_id: opaqueId('pay', 'The payment.') }),
    body: Type.Object({
      action: oneOf(ATTENTION_ACTIONS, 'What to do.'),
      reason: Type.Optional(oneLine(LIMITS.reasonChars, 'Why. Needed to settle it elsewhere.', 1)),
      password: Type.Optional(
        password('The member’s password. Required for a refund in live, unless a passkey answers.'),
      ),
      answer: Type.Optional(ceremonyPart('What a passkey signed, in place of the password.')),
    }),
    response: { status: 200, description: 'Where it stands now.', schema: AttentionItem },
    errors: [
      'payment_not_found',
      'payment_not_in_review',
      'delivery_not_retryable',
      'confirmation_required',
      'password_wrong',
      'passkey_invalid',
      'rate_limited',
      'order_wrong_status',
      'provider_refused',
      'provider_unreachable',
    ],
  }),
  markAttention: dashboardEndpoint({
    name: 'mark_attention',
    scope: 'environment',
    role: 'support',
    method: 'PATCH',
    path: `${PATH}/{subject_id}/mark`,
    summary: 'Says who is on it, or snoozes it. Omitted fields stay as they are.',
    params: Type.Object({
      subject_id: outsideId('A payment, a difference, or an account at a provider.', 'pay_01kb2m3n4p5q6r7s8t9v0w1x2y'),
    }),
    body: Type.Object({
      assignee_id: Type.Optional(nullable(opaqueId('usr', 'The member who is on it; null for no one.'))),
      snoozed_until: Type.Optional(
        nullable(
          givenTime(`Until when it stays out of the list, at most ${MOST_SNOOZED_DAYS} days; null brings it back.`),
        ),
      ),
      note: Type.Optional(oneLine(LIMITS.reasonChars, 'Why. Needed to snooze it.', 1)),
    }),
    response: { status: 200, description: 'The mark as it is now.', schema: AttentionMark },
    errors: ['attention_not_found', 'member_not_found'],
  }),
} as const;
