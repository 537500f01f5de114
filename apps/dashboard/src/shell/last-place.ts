const KEPT = 'coinslot.place';

export const keepPlace = (gameId: string, mode: string): void => localStorage.setItem(KEPT, `${gameId}/${mode}`);

/** Where the reader was last, if the game is still one of theirs; else the first game, live. */
export function placeToStart(games: readonly { id: string }[], kept: string | null): string | null {
  const [gameId, mode] = (kept ?? '').split('/');
  const game = games.find(({ id }) => id === gameId);
  if (game) return `/g/${game.id}/${mode === 'sandbox' ? 'sandbox' : 'live'}`;
  return games[0] ? `/g/${games[0].id}/live` : null;
}

export const lastPlace = (): string | null => localStorage.getItem(KEPT);
