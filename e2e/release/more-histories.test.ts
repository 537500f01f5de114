/** More of what `npm test` plays in e2e/model/model.test.ts. */
import { afterEach, expect, test } from 'vitest';
import { closeLab, LONGEST_MS, openLab, playSeeds } from '../model/play-seeds.ts';
import { histories } from '../model/steps.ts';

const SEEDS = [1, 2, 3];
const BATCH = 128;

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
