import { endpoint } from './endpoint.ts';
import { attributes, idInQuery, LIMITS, named, nullable, oneLine, outsideId, time, webUrl } from './shape.ts';
import { type Static, Type } from './type.ts';

export const playerId = () => outsideId('Identifier of the player in the game backend.', 'player_42');

export const PlayerInput = named(
  'PlayerInput',
  {
    name: Type.Optional(oneLine(LIMITS.nameChars, 'Display name of the player.', 1)),
    avatar_url: Type.Optional(webUrl('Picture of the player.')),
    attributes: Type.Optional(attributes()),
  },
  'What the game knows about its player.',
);
export type PlayerInput = Static<typeof PlayerInput>;

export const Player = named(
  'Player',
  {
    player_id: playerId(),
    name: nullable(Type.String({ description: 'Display name of the player.' })),
    avatar_url: nullable(Type.String({ description: 'Picture of the player.' })),
    email: nullable(Type.String({ description: 'Last email address given for the player.' })),
    attributes: attributes(),
    sandbox: Type.Boolean({ description: 'True in the sandbox environment.' }),
    created_at: time('When the player was first seen.'),
    updated_at: time('When the player last changed.'),
  },
  'A player of the game. Every order creates or updates its player.',
);
export type Player = Static<typeof Player>;

export const getPlayer = endpoint({
  name: 'get_player',
  tag: 'Players',
  method: 'GET',
  path: '/s2s/v1/players/{player_id}',
  summary: 'Read a player',
  description: 'Reads what is known about one player.',
  params: Type.Object({ player_id: playerId() }),
  query: Type.Object({ player_id: idInQuery('player_id') }),
  response: { status: 200, description: 'The player.', schema: Player },
  errors: ['player_not_found'],
});
