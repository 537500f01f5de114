import { AppError } from '../../kit/app-error.ts';
import { steadyMs } from '../../kit/clock.ts';
import { semaphores } from '../../kit/concurrency.ts';

/** What waits for a lock of a company holds one of the few connections that all companies share (row 284). */
const turns = semaphores(() => 1);

/** More than any script sends at once. */
const MOST_WAITING = 50;
/** Each turn waits for the lock up to three seconds, so that the last of fifty would have waited for minutes. */
const LONGEST_WAIT_MS = 10_000;
const waiting = new Map<string, number>();

/**
 * For what locks an environment: the calls of one company wait for each other here, before they have a connection, so that they
 * never hold more than one of this process.
 */
export async function inCompanyTurn<T>(companyId: string, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(companyId) ?? 0;
  if (before >= MOST_WAITING)
    throw new AppError('rate_limited', {
      detail: 'Too many changes of this company wait for each other.',
      headers: { 'retry-after': '1' },
    });
  waiting.set(companyId, before + 1);
  const startedMs = steadyMs();
  try {
    return await turns(companyId, async () => {
      if (steadyMs() - startedMs > LONGEST_WAIT_MS) throw new AppError('unavailable');
      return work();
    });
  } finally {
    const after = waiting.get(companyId)! - 1;
    if (after > 0) waiting.set(companyId, after);
    else waiting.delete(companyId);
  }
}
