import fc from 'fast-check';
import { afterEach, expect, inject, test } from 'vitest';
import { type Finding, Lab } from './lab.ts';
import { shrink } from './shrink.ts';
import { type History, historiesWithKills, histories as withoutKills } from './steps.ts';

const FIRST_SEED = 1;
const SEEDS = 2;
const BATCH = 128;
/** A program that was killed takes a second to come back. */
const BATCH_WITH_KILLS = 16;
/** Half a minute on an idle machine; a loaded one plays the same histories and takes longer. */
const LONGEST_MS = 600_000;

let lab: Lab | undefined;

async function reportOf(batch: readonly History[], seed: number, found: Finding[]): Promise<string[]> {
  const smallest = await shrink(lab!, batch, found[0]!);
  const lines = found.map(({ rule, what, history }) => `seed ${seed}, history ${history}: ${rule}: ${what}`);
  return [...lines, `smallest: ${JSON.stringify(smallest)}`];
}

async function playSeeds(arbitrary: fc.Arbitrary<History>, seeds: number, batchSize: number): Promise<string[]> {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
    const batch = fc.sample(arbitrary, { seed, numRuns: batchSize });
    const found = await lab!.play(batch);
    if (found.length > 0) return reportOf(batch, seed, found);
  }
  return [];
}

afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

test(
  'after any history the shop, the provider and the game agree, and nothing waits in silence',
  async () => {
    lab = await Lab.open({ serverUrl: inject('databaseUrl'), mortal: false });
    expect(await lab.playLongJob()).toEqual([]);
    expect(await playSeeds(withoutKills, SEEDS, BATCH)).toEqual([]);
    expect(lab.counts.histories).toBe(SEEDS * BATCH);
  },
  LONGEST_MS,
);

test(
  'they also agree when programs are killed between any two statements',
  async () => {
    lab = await Lab.open({ serverUrl: inject('databaseUrl'), mortal: true });
    expect(await playSeeds(historiesWithKills, 1, BATCH_WITH_KILLS)).toEqual([]);
    expect(lab.counts.histories).toBe(BATCH_WITH_KILLS);
    expect(lab.counts.kills).toBeGreaterThan(0);
  },
  LONGEST_MS,
);
