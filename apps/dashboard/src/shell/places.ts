const KEPT = 'coinslot.place';

export const keepPlace = (gameId: string, mode: string): void => localStorage.setItem(KEPT, `${gameId}/${mode}`);

/** The game and mode the member last worked in, if the member still has the game; else the first game, live. */
export function placeToStart(games: readonly { id: string }[], kept: string | null): string | null {
  const [gameId, mode] = (kept ?? '').split('/');
  const game = games.find(({ id }) => id === gameId);
  if (game) return `/g/${game.id}/${mode === 'sandbox' ? 'sandbox' : 'live'}`;
  return games[0] ? `/g/${games[0].id}/live` : null;
}

export const lastPlace = (): string | null => localStorage.getItem(KEPT);

/** The same page in the other mode; a page about one object goes to its list, because the other mode has no such object. */
export function otherSide(path: string, mode: 'live' | 'sandbox'): string {
  const [, , gameId = '', , first, second] = path.split('/');
  const isNested = first === 'integration' || first === 'settings';
  return ['', 'g', gameId, mode, ...(first ? [first] : []), ...(isNested && second ? [second] : [])].join('/');
}

/** After sign-in only a page of a game is opened, never an address outside of the app. */
export const safeNext = (next: string | undefined): string | null =>
  next !== undefined && /^\/(?:dashboard\/)?g\/[^\\]*$/.test(next) ? next.replace(/^\/dashboard/, '') : null;
