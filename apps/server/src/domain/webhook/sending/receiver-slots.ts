import { type Signals, SLOTS_CHANGED } from '../../../db/signals.ts';
import { semaphores } from '../../../kit/concurrency.ts';

/** No receiver has more requests than this at once. */
export const MOST_AT_ONCE = 64;

export interface ReceiverSlots {
  /** How many requests this process may have at one receiver: all processes together have no more than a receiver gets. */
  ofThisProcess(): number;
  /** Runs an attempt when the address has a slot for it. */
  run<T>(url: string, attempt: () => Promise<T>): Promise<T>;
}

/** By address: a receiver may take items and be an observer, in both environments of a game. */
export function createReceiverSlots(signals: Pick<Signals, 'share' | 'on'>): ReceiverSlots {
  const run = semaphores(() => ofThisProcess());
  const ofThisProcess = signals.share({ most: MOST_AT_ONCE, inUse: run.inUse });
  signals.on(SLOTS_CHANGED, run.wake);
  return { ofThisProcess, run };
}
