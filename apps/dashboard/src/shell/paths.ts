const STORAGE_KEY = 'coinslot.place';

export const rememberEnvironment = (gameId: string, mode: string): void =>
  localStorage.setItem(STORAGE_KEY, `${gameId}/${mode}`);

/** Opens the game and mode the member last worked in, or the first game in live mode. */
export function startPath(games: readonly { id: string }[], kept: string | null): string | null {
  const [gameId, mode] = (kept ?? '').split('/');
  const game = games.find(({ id }) => id === gameId);
  if (game) return `/g/${game.id}/${mode === 'sandbox' ? 'sandbox' : 'live'}`;
  return games[0] ? `/g/${games[0].id}/live` : null;
}

export const lastEnvironment = (): string | null => localStorage.getItem(STORAGE_KEY);

/**
 * Finds the same page in the other mode. A page about one object leads to its list, because the object exists in one
 * mode only.
 */
export function pathInMode(path: string, mode: 'live' | 'sandbox'): string {
  const [, , gameId = '', , first, second] = path.split('/');
  const isNested = first === 'integration' || first === 'settings';
  return ['', 'g', gameId, mode, ...(first ? [first] : []), ...(isNested && second ? [second] : [])].join('/');
}

/** After sign-in, only pages of a game and the page that confirms an address may be opened, never an address outside of the app. */
export const safeNext = (next: string | undefined): string | null =>
  next !== undefined && /^\/(?:dashboard\/)?(?:g\/[^\\]*|confirm-email)$/.test(next)
    ? next.replace(/^\/dashboard/, '')
    : null;
