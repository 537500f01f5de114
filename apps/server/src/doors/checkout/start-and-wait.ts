import type { Shop } from '../../domain/shop.ts';
import { asAppError } from '../../http/problem.ts';
import { waitAtMost } from '../../jobs/background.ts';

/** How long a posted form waits for the outcome before the page takes over the waiting. */
const PAY_WAIT_MS = 4_000;

/** What the database did not take, the player must do again; all else is found out by a worker and shown by the page. */
function throwIfNotTaken(error: unknown): void {
  if (asAppError(error).code === 'unavailable') throw error;
}

async function goOn(
  { background }: Shop,
  work: Promise<unknown>,
  what: string,
  judge: (error: unknown) => void,
): Promise<void> {
  background(work, what);
  await waitAtMost(work.catch(judge), PAY_WAIT_MS);
}

/** The work goes on when the player closes the tab. */
export const startAndWait = (shop: Shop, work: Promise<unknown>, what: string): Promise<void> =>
  goOn(shop, work, what, throwIfNotTaken);

/** A payment that is on record: whatever becomes of it, the page shows it. */
export const waitForOutcome = (shop: Shop, outcome: Promise<unknown>): Promise<void> =>
  goOn(shop, outcome, 'payment', () => {});
