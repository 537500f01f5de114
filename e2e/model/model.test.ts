import fc from 'fast-check';
import { afterAll, expect, inject, test } from 'vitest';
import { type Finding, Lab } from './lab.ts';
import { shrink } from './shrink.ts';
import { type History, historiesWithKills, histories as withoutKills } from './steps.ts';

const FIRST_SEED = 1;
const SEEDS = 14;
const BATCH = 16;
/** A program that was killed takes a second to come back. */
const BATCH_WITH_KILLS = 8;
/** Each takes a second or two on an idle machine; a loaded one plays fewer of them. */
const ENOUGH_MS = 25_000;
const FEWEST_HISTORIES = BATCH;
const LONGEST_MS = 170_000;

let lab: Lab | undefined;

async function reportOf(batch: readonly History[], seed: number, found: Finding[]): Promise<string[]> {
  const smallest = await shrink(lab!, batch, found[0]!);
  const lines = found.map(({ rule, what, history }) => `seed ${seed}, history ${history}: ${rule}: ${what}`);
  return [...lines, `smallest: ${JSON.stringify(smallest)}`];
}

async function playSeeds(arbitrary: fc.Arbitrary<History>, seeds: number, batchSize: number): Promise<string[]> {
  const started = Date.now();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds && Date.now() - started < ENOUGH_MS; seed++) {
    const batch = fc.sample(arbitrary, { seed, numRuns: batchSize });
    const found = await lab!.play(batch);
    if (found.length > 0) return reportOf(batch, seed, found);
  }
  return [];
}

afterAll(() => lab?.close());

test(
  'after any history the shop, the provider and the game agree, and nothing waits in silence',
  async () => {
    lab = await Lab.open({ serverUrl: inject('databaseUrl'), mortal: false });
    expect(await playSeeds(withoutKills, SEEDS, BATCH)).toEqual([]);
    expect(lab.counts.histories).toBeGreaterThanOrEqual(FEWEST_HISTORIES);
    await lab.close();
    lab = undefined;
  },
  LONGEST_MS,
);

test(
  'they also agree when programs are killed between any two statements',
  async () => {
    lab = await Lab.open({ serverUrl: inject('databaseUrl'), mortal: true });
    expect(await playSeeds(historiesWithKills, 1, BATCH_WITH_KILLS)).toEqual([]);
    expect(lab.counts.kills).toBeGreaterThan(0);
    await lab.close();
    lab = undefined;
  },
  LONGEST_MS,
);
