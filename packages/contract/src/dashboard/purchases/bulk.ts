import { ORDER_STATUSES } from '../../order-statuses.ts';
import { attentionFilter } from '../../payments.ts';
import { createdBetween, LIMITS, named, nullable, oneLine, oneOf, opaqueId, time } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';
import { exactly, search, someOf } from '../listing.ts';
import { ceremonyPart, password } from '../session.ts';

export const BULK_ACTIONS = [
  /** Sends open or failed item deliveries again. */
  'retry',
  /** Stops waiting for the game and returns the money. */
  'release',
  /** Refunds the full amount and revokes the items. */
  'refund',
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Why an order is left out. */
export const BULK_REFUSALS = [
  'order_not_found',
  'not_paid',
  'already_returned',
  'disputed',
  'waits_for_game',
  'nothing_waiting',
  'no_endpoint',
  'not_grantable',
  'refund_refused',
  'failed',
] as const;
export type BulkRefusal = (typeof BULK_REFUSALS)[number];

export const BULK_STATUSES = ['running', 'stopping', 'done', 'stopped'] as const;

export const MOST_IN_BULK = 1_000;
/** As many as an address can carry. */
export const MOST_CHOSEN = 200;

const action = oneOf(BULK_ACTIONS, 'What is done to each order.');
const RefusedOrder = Type.Object({
  order_id: opaqueId('ord', 'The order.'),
  code: oneOf(BULK_REFUSALS, 'Why it is left out.'),
  detail: nullable(Type.String({ description: 'More, where it is known.' })),
});
const refused = Type.Array(RefusedOrder, { description: 'Orders that are left out, and why. The first 100.' });

export const BulkPreview = named(
  'BulkPreview',
  {
    action,
    order_ids: Type.Array(opaqueId('ord', 'An order.'), {
      description: 'The orders that will be acted on. Send them back to begin: what was shown is what is done.',
    }),
    amounts: Type.Array(
      Type.Object({
        currency: Type.String(),
        count: Type.Integer({ description: 'Number of orders.' }),
        amount: Type.Integer({ description: 'Their sum, in minor units.' }),
      }),
      { description: 'By currency.' },
    ),
    refused_count: Type.Integer({ description: 'Orders that are left out.' }),
    refused,
    is_capped: Type.Boolean({ description: `More orders match; only the newest ${MOST_IN_BULK} are looked at.` }),
  },
  'What a bulk action would do. Nothing is changed.',
);
export type BulkPreview = Static<typeof BulkPreview>;

export const BulkRun = named(
  'BulkRun',
  {
    id: opaqueId('blk', 'The run.'),
    action,
    status: oneOf(BULK_STATUSES, 'Where it stands.'),
    total: Type.Integer({ description: 'Orders in all.' }),
    done: Type.Integer({ description: 'Orders whose money is back, or whose items were sent again.' }),
    waiting_count: Type.Integer({ description: 'Orders whose refund was asked for and is not decided.' }),
    refused_count: Type.Integer({ description: 'Orders that were left out or whose refund did not go through.' }),
    refused: Type.Array(RefusedOrder, { description: 'All of them, and why.' }),
    by: Type.String({ description: 'Who started it, by email address.' }),
    created_at: time('When it was started.'),
    finished_at: nullable(time('When it ended.')),
  },
  'A bulk action under way or over. It goes on when the page is closed.',
);
export type BulkRun = Static<typeof BulkRun>;

const PATH = '/dashboard/api/games/{game_id}/{mode}/bulk';
const params = Type.Object({ bulk_id: opaqueId('blk', 'The run.') });
const run = { status: 200, description: 'The run.', schema: BulkRun };

export const bulkEndpoints = {
  previewBulk: dashboardEndpoint({
    name: 'preview_bulk',
    scope: 'environment',
    role: 'support',
    method: 'GET',
    path: `${PATH}/preview`,
    summary: 'What a bulk action on all orders of a filter, or on chosen ones, would do. Changes nothing.',
    query: Type.Object({
      action,
      order_ids: Type.Optional(
        Type.String({
          pattern: `^ord_[0-9a-z]{26}(?:,ord_[0-9a-z]{26}){0,${MOST_CHOSEN - 1}}$`,
          description: 'Only these orders, separated by commas, whatever the filters say.',
        }),
      ),
      ...createdBetween,
      q: search('As in the list of orders.'),
      status: someOf(ORDER_STATUSES, 'Only orders with this status.'),
      player_id: exactly('Only orders of this player.'),
      ...attentionFilter,
    }),
    response: { status: 200, description: 'What would happen.', schema: BulkPreview },
    errors: [],
  }),
  startBulk: dashboardEndpoint({
    name: 'start_bulk',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: PATH,
    summary: 'Begin a bulk action on the orders of a preview. One runs at a time.',
    body: named(
      'StartBulk',
      {
        action,
        order_ids: Type.Array(opaqueId('ord', 'An order.'), { minItems: 1, maxItems: MOST_IN_BULK }),
        reason: oneLine(LIMITS.reasonChars, 'Why, in a sentence. The game receives it with a refund.', 1),
        password: Type.Optional(
          password('The member’s password. Required in live where money moves, unless a passkey answers.'),
        ),
        answer: Type.Optional(ceremonyPart('What a passkey signed, in place of the password.')),
      },
      'What to do to which orders.',
    ),
    response: { status: 201, description: 'The run.', schema: BulkRun },
    errors: ['bulk_under_way', 'confirmation_required', 'password_wrong', 'passkey_invalid', 'rate_limited'],
  }),
  listBulk: dashboardEndpoint({
    name: 'list_bulk',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: PATH,
    summary: 'The newest bulk actions.',
    response: {
      status: 200,
      description: 'Newest first.',
      schema: named('BulkRuns', { data: Type.Array(BulkRun) }, 'The newest bulk actions.'),
    },
    errors: [],
  }),
  stopBulk: dashboardEndpoint({
    name: 'stop_bulk',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: `${PATH}/{bulk_id}/stop`,
    summary: 'Stop a bulk action after the order that it is at. What was done stays done.',
    params,
    response: run,
    errors: ['bulk_not_found'],
  }),
};
