import { afterEach, expect, test } from 'vitest';
import { closeLab, LONGEST_MS, openLab, playSeeds } from './play-seeds.ts';
import { historiesWithKills, histories as withoutKills } from './steps.ts';

/** `npm run test:release` plays more of both: e2e/release/more-histories. */
const BATCH = 24;
const BATCH_WITH_KILLS = 8;

afterEach(closeLab);

test(
  'after any history the shop, the provider and the game agree, and nothing waits in silence',
  async () => {
    const lab = await openLab({ mortal: false });
    expect(await lab.playLongJob()).toEqual([]);
    expect(await playSeeds(withoutKills, [1], BATCH)).toEqual([]);
    expect(lab.counts.histories).toBe(BATCH);
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
