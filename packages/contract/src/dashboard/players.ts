import { Order } from '../orders.ts';
import { Payment } from '../payments.ts';
import { ErasedPlayer, PlayerExport } from '../players/player-data.ts';
import { Player, playerId } from '../players.ts';
import { currency, named, nullable, oneOf, page, paging, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { search } from './listing.ts';

const params = Type.Object({ player_id: playerId() });

export const PlayerDetail = named(
  'PlayerDetail',
  {
    player: Player,
    spent: Type.Array(
      Type.Object({
        currency: Type.String(),
        amount: Type.Integer({ description: 'In minor units.' }),
        payments: Type.Integer(),
      }),
      { description: 'Money captured and not refunded, by currency, from the newest 1,000 payments.' },
    ),
    declined: Type.Integer({ description: 'How many of the newest 1,000 payments were declined.' }),
    payments: Type.Array(Payment, { description: 'The newest 20.' }),
    orders: Type.Array(Order, { description: 'The newest 20.' }),
  },
  'Everything about one player.',
);
export type PlayerDetail = Static<typeof PlayerDetail>;

/** `id` has everyone; the others only those who bought something, the most or the last first. */
export const PLAYER_SORTS = ['id', 'spent', 'orders', 'last_purchase'] as const;
export type PlayerSort = (typeof PLAYER_SORTS)[number];

export const PlayerLine = named(
  'PlayerLine',
  {
    ...Player.properties,
    orders: Type.Integer({ description: 'Orders that were paid and not returned.' }),
    spent: Type.Array(
      Type.Object({ currency: Type.String(), amount: Type.Integer({ description: 'In minor units.' }) }),
      { description: 'Money captured and not returned, by currency, the most first.' },
    ),
    last_purchase_at: nullable(time('When the last order was paid; null: none was.')),
  },
  'A player, and what the player bought. What was paid shows within seconds.',
);
export type PlayerLine = Static<typeof PlayerLine>;

const month = (description: string) =>
  Type.String({ pattern: '^[1-8]\\d{3}-(?:0[1-9]|1[0-2])$', description: `${description} As \`2026-01\`.` });

export const playerEndpoints = {
  listPlayers: dashboardEndpoint({
    name: 'list_players',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/players',
    summary: 'Players with what they bought.',
    query: Type.Object({
      ...paging,
      q: search('Searches by the start of a player id, of a name or one of its words, or of an email address.'),
      sort: Type.Optional(
        oneOf(
          PLAYER_SORTS,
          'By what to sort; `id` by default. Only `id` has those who bought nothing. Not for a search.',
        ),
      ),
      first_month: Type.Optional(
        month('Only players who bought first in this month of UTC, in the order of their ids. Not for a search.'),
      ),
      bought_month: Type.Optional(month('With `first_month`: only those of them who bought in this month.')),
      currency: Type.Optional(currency('For `spent`: in which currency. Without it, that of the last purchase.')),
    }),
    response: { status: 200, description: 'One page.', schema: page('PlayerPage', PlayerLine) },
    errors: [],
  }),
  getDashboardPlayer: dashboardEndpoint({
    name: 'get_player',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/players/{player_id}',
    summary: 'Everything about one player.',
    params,
    response: { status: 200, description: 'The player.', schema: PlayerDetail },
    errors: ['player_not_found'],
  }),
  exportDashboardPlayer: dashboardEndpoint({
    name: 'export_player',
    scope: 'environment',
    role: 'owner',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/players/{player_id}/export',
    summary: 'Everything that is known about one player, to be handed to that player.',
    params,
    response: { status: 200, description: 'The data of the player.', schema: PlayerExport },
    errors: ['player_not_found', 'rate_limited'],
  }),
  eraseDashboardPlayer: dashboardEndpoint({
    name: 'erase_player',
    scope: 'environment',
    role: 'owner',
    confirms: 'always',
    method: 'DELETE',
    path: '/dashboard/api/games/{game_id}/{mode}/players/{player_id}',
    summary: 'Erase a player here, in the archives and at the payment provider. Amounts and dates stay for the books.',
    params,
    response: { status: 200, description: 'The player is erased.', schema: ErasedPlayer },
    errors: ['player_not_found', 'order_wrong_status'],
  }),
};
