import { endpoint } from '../endpoint.ts';
import { Order } from '../orders.ts';
import { Payment } from '../payments.ts';
import { Player, playerId } from '../players.ts';
import { idInQuery, named, nullable, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';

export const PlayerExport = named(
  'PlayerExport',
  {
    player: nullable(Player),
    orders: Type.Array(Order, { description: 'Newest first.' }),
    payments: Type.Array(Payment, { description: 'Newest first.' }),
    saved_methods: Type.Array(
      Type.Object({
        method: Type.String(),
        brand: Type.String(),
        last4: Type.String(),
        expiry_month: Type.Integer(),
        expiry_year: Type.Integer(),
        created_at: time('When it was saved.'),
      }),
      { description: 'Payment methods saved for one-tap payment.' },
    ),
    mails: Type.Array(
      Type.Object({
        kind: Type.String(),
        recipient: Type.String(),
        subject: Type.String(),
        created_at: time('When it was written.'),
      }),
      { description: 'Receipts that are still kept.' },
    ),
  },
  'Everything that is known about one player.',
);
export type PlayerExport = Static<typeof PlayerExport>;

export const ErasedPlayer = named(
  'ErasedPlayer',
  {
    digest: Type.String({ description: 'Stands in orders and payments in place of the player.' }),
    orders: Type.Integer({ description: 'How many orders now carry the digest.' }),
    canceled_orders: Type.Integer({ description: 'How many orders waited for the player and are canceled now.' }),
    waiting_deliveries: Type.Integer({
      description: 'How many `item.remove` still carry the player’s id, each until your game has accepted it.',
    }),
    archived_lines: Type.Integer({ description: 'How many lines of archives were changed.' }),
  },
  'What erasing a player did.',
);
export type ErasedPlayer = Static<typeof ErasedPlayer>;

const params = Type.Object({ player_id: playerId() });
const query = Type.Object({ player_id: idInQuery('player_id') });

export const exportPlayer = endpoint({
  name: 'export_player',
  tag: 'Players',
  method: 'GET',
  path: '/s2s/v1/players/{player_id}/export',
  summary: 'Export a player',
  description: 'Everything that is known about one player, to be handed to that player.',
  params,
  query,
  response: { status: 200, description: 'The data of the player.', schema: PlayerExport },
  errors: ['player_not_found'],
});

export const erasePlayer = endpoint({
  name: 'erase_player',
  tag: 'Players',
  method: 'DELETE',
  path: '/s2s/v1/players/{player_id}',
  summary: 'Erase a player',
  description:
    'Removes names, addresses, mails, saved methods and metadata of a player from the database and the archives; a job also deletes the player’s customer and saved methods at the payment provider. Amounts, dates and ids of orders stay for the books, under a digest in place of the player. Orders that wait for the player are canceled. Refused while an order of the player is pending, authorized, disputed or being refunded, or a bank questions a payment: `detail` lists what is open and by when it ends. An `item.remove` that your game has not accepted yet keeps the player’s id until it has; an idempotency key stays for its 24 hours. Afterwards the player is unknown.',
  params,
  query,
  response: { status: 200, description: 'The player is erased.', schema: ErasedPlayer },
  errors: ['player_not_found', 'order_wrong_status'],
});
