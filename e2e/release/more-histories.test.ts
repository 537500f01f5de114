/** More of what `npm test` plays in e2e/model/model.test.ts. */
import { afterEach, expect, test } from 'vitest';
import { closeLab, LONGEST_MS, openLab, playSeeds } from '../model/play-seeds.ts';
import { histories, historiesWithKills } from '../model/steps.ts';

/** That test plays the first. */
const SEEDS = [2, 3];
const BATCH = 128;
/** A program that was killed takes a second to come back. */
const BATCH_WITH_KILLS = 16;

afterEach(closeLab);

test(
  'after any history the shop, the provider and the game agree, and nothing waits in silence',
  async () => {
    const lab = await openLab({ mortal: false });
    expect(await playSeeds(histories, SEEDS, BATCH)).toEqual([]);
    expect(lab.counts.histories).toBe(SEEDS.length * BATCH);
  },
  LONGEST_MS,
);

test(
  'they also agree when programs are killed between any two statements',
  async () => {
    const lab = await openLab({ mortal: true });
    expect(await playSeeds(historiesWithKills, [1], BATCH_WITH_KILLS)).toEqual([]);
    expect(lab.counts.histories).toBe(BATCH_WITH_KILLS);
    expect(lab.counts.kills).toBeGreaterThan(0);
  },
  LONGEST_MS,
);
