import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../kit/app-error.ts';
import { type Clock, steadyMs } from '../../kit/clock.ts';
import { semaphore } from '../../kit/concurrency.ts';
import { assertCapacity } from './budgets.ts';

const MOST_OF_COMPANY = 2;
const ASK_AGAIN_SECONDS = 30;
/** A step of all exports together is followed by a rest this many times as long, so that they take a third of the time of others. */
const REST_FOR_EACH = 2;
/** A step that was slow because the database was busy needs no longer rest. */
const LONGEST_REST_MS = 250;
const CHECK_MS = 5_000;
/** A reader that takes nothing for so long has gone, and keeps no other export from its place. */
const STALLED_MS = 60_000;

const takeTurn = semaphore(1);
const underWay = new Map<string, number>();

export interface Export {
  companyId: string;
  clock: Clock;
  /** Pieces of the file, each of a bounded size. */
  steps: AsyncGenerator<string>;
  /** Asked every few seconds: whether who asked may still read it. */
  mayGoOn?: () => Promise<boolean>;
}

/** A step, and the rest after it. */
const takeStep = (steps: AsyncGenerator<string>): Promise<IteratorResult<string>> =>
  takeTurn(async () => {
    const startedMs = steadyMs();
    const step = await steps.next();
    if (!step.done) await pause(Math.min((steadyMs() - startedMs) * REST_FOR_EACH, LONGEST_REST_MS));
    return step;
  });

async function* inTurns({ steps, clock, mayGoOn }: Export, leave: AbortController): AsyncGenerator<string> {
  let checkedMs = clock.nowMs();
  try {
    for (;;) {
      const step = await takeStep(steps);
      if (step.done) return;
      if (mayGoOn && clock.nowMs() - checkedMs >= CHECK_MS) {
        // Breaks the connection, so that no reader takes the file for a complete one.
        if (!(await mayGoOn())) throw new AppError('sign_in_required');
        checkedMs = clock.nowMs();
      }
      const stalled = setTimeout(() => leave.abort(), STALLED_MS).unref();
      yield step.value;
      clearTimeout(stalled);
    }
  } finally {
    await steps.return(undefined);
  }
}

/** Limits the exports of one company, of its members and game backends together. */
export const assertMayExport = (companyId: string): void =>
  assertCapacity('exports at once', underWay.get(companyId) ?? 0, MOST_OF_COMPANY, ASK_AGAIN_SECONDS);

/** The answer with the file, or a refusal where the company has too many under way. */
export function streamExport(given: Export): Readable {
  const { companyId } = given;
  assertMayExport(companyId);
  underWay.set(companyId, (underWay.get(companyId) ?? 0) + 1);
  const leave = new AbortController();
  return Readable.from(inTurns(given, leave), { objectMode: true, signal: leave.signal }).once('close', () => {
    const left = underWay.get(companyId)! - 1;
    if (left === 0) underWay.delete(companyId);
    else underWay.set(companyId, left);
  });
}
