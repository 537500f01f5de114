import { useParams } from '@tanstack/react-router';

export type Mode = 'live' | 'sandbox';

export type Env = { game_id: string; mode: Mode };

/** An unknown mode in the address counts as live, so that a real payment is never shown as a test. */
export const envOf = ({ gameId = '', mode }: { gameId?: string; mode?: string }): Env => ({
  game_id: gameId,
  mode: mode === 'sandbox' ? 'sandbox' : 'live',
});

/** Every page's address contains its game and mode. */
export const useEnv = (): Env => envOf(useParams({ strict: false }));
