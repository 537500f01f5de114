import { useParams } from '@tanstack/react-router';

export type Mode = 'live' | 'sandbox';

export type Env = { game_id: string; mode: Mode };

/** An address with an unknown mode reads as live, so that no real payment is ever shown as a test. */
export const envOf = ({ gameId = '', mode }: { gameId?: string; mode?: string }): Env => ({
  game_id: gameId,
  mode: mode === 'sandbox' ? 'sandbox' : 'live',
});

/** The game and the mode are part of every page's address. */
export const useEnv = (): Env => envOf(useParams({ strict: false }));
