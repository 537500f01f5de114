import { ORDER_STATUSES } from '../order-statuses.ts';
import { PAYMENT_STATUSES } from '../payment-statuses.ts';
import { Attention } from '../payments.ts';
import { LIMITS, named, nullable, oneLine, oneOf, opaqueId, paging, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { ConnectionCheck } from './provider.ts';
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
  },
  'Money that waits for a person: what happened, what happens next and when, and what can be done.',
);
export type AttentionItem = Static<typeof AttentionItem>;

const BrokenConnection = named(
  'BrokenConnection',
  {
    provider: Type.String({ description: 'The provider.' }),
    title: Type.String({ description: 'The provider’s own name.' }),
    failing_since: time('Since when.'),
    checks: Type.Array(ConnectionCheck, { description: 'What is broken, and what to do.' }),
  },
  'A payment provider whose connection test fails.',
);

const PATH = '/dashboard/api/games/{game_id}/{mode}/attention';

export const attentionEndpoints = {
  listAttention: dashboardEndpoint({
    name: 'list_attention',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: PATH,
    summary: 'Everything that needs attention, newest payment first.',
    query: Type.Object({ ...paging }),
    response: {
      status: 200,
      description: 'One page.',
      schema: named(
        'AttentionPage',
        {
          data: Type.Array(AttentionItem, { description: 'Newest first.' }),
          next_cursor: nullable(
            Type.String({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
          ),
          count: Type.Integer({ description: 'How many there are; at most 1,000 are counted.' }),
          connections: Type.Array(BrokenConnection, {
            description: 'In live: the company’s payment providers whose daily test fails. They are counted too.',
          }),
        },
        'One page of what needs attention.',
      ),
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
      'password_wrong',
      'passkey_invalid',
      'rate_limited',
      'order_wrong_status',
      'provider_refused',
      'provider_unreachable',
    ],
  }),
} as const;
