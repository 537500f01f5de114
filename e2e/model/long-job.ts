import { setTimeout as pause } from 'node:timers/promises';
import type { LabProgram } from './programs.ts';
import type { Violation } from './rules/evidence.ts';
import type { Studio } from './studio.ts';
import type { ProviderBooks } from './world/provider-books.ts';

export interface LongJobDeps {
  studio: Studio;
  books: ProviderBooks;
  programs: readonly LabProgram[];
  advance(seconds: number): Promise<void>;
  /** Whether the lease of the studio's job was renewed since the last step. */
  isRenewed(environmentId: string): Promise<boolean>;
}

const BEAT_OF_A_MINUTE_LEASE_MS = 20_000;
const BEAT_MS = 50;
const STEPS = 6;
const STEP_SECONDS = 15;
/** On a loaded machine a beat may be late; one that does not come in all this time is forgotten. */
const MOST_WAITS = 60;

const realInterval = globalThis.setInterval;

/** A worker renews its leases by the clock on the wall, which a history cannot wait for: in the lab it beats much faster. */
export function hastenHeartbeats(): () => void {
  const hastened = (work: () => void, ms?: number): NodeJS.Timeout =>
    realInterval(work, ms === BEAT_OF_A_MINUTE_LEASE_MS ? BEAT_MS : ms);
  globalThis.setInterval = Object.assign(hastened, realInterval) as typeof setInterval;
  return () => {
    globalThis.setInterval = realInterval;
  };
}

/**
 * A job that takes longer than its lease: the provider is slow to save a method, and time passes in steps that leave the
 * worker enough beats to say that it is still at it. The other worker must leave the job alone.
 */
export async function playLongJob({ studio, books, programs, advance, isRenewed }: LongJobDeps): Promise<Violation[]> {
  const release = books.holdSaves();
  try {
    await studio.take({ do: 'pay', order: 0, outcome: 'authorize', tabs: 1, isSaved: true });
    const [first, second] = programs;
    const working = first!.obey({ what: 'drain' });
    for (let waits = 0; books.savesUnderWay(studio.orders[0]!.id) === 0 && waits < 100; waits++) await pause(BEAT_MS);
    for (let step = 0; step < STEPS; step++) {
      await advance(STEP_SECONDS);
      for (let waits = 0; !(await isRenewed(studio.game.environmentId)) && waits < MOST_WAITS; waits++)
        await pause(BEAT_MS);
      // It may take the job and wait for the provider too, so it is not waited for.
      void second!.obey({ what: 'drain' });
    }
    await pause(BEAT_MS);
    const times = books.savesUnderWay(studio.orders[0]!.id);
    release();
    await working;
    return times > 1 ? [{ rule: 'a job is run by one worker at a time', what: `${times} workers are at it` }] : [];
  } finally {
    release();
  }
}
