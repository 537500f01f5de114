/** What was written by hand of what `npm test` plays at random in e2e/model/model.test.ts. */
import { afterEach, expect, test } from 'vitest';
import { directedTopics } from '../model/directed.ts';
import { closeLab, LONGEST_MS, openLab } from '../model/play-seeds.ts';

/** Each topic lasts a fortnight by itself. */
const MONTH_SECONDS = 30 * 86_400;

afterEach(closeLab);

test(
  'after every history that was written by hand the shop, the provider and the game agree, in a lab that grows half a year old (row 225)',
  async () => {
    const lab = await openLab({ mortal: false });
    for (const [at, batch] of directedTopics().entries()) {
      if (at > 0) await lab.grow(MONTH_SECONDS);
      expect(await lab.play(batch)).toEqual([]);
    }
  },
  2 * LONGEST_MS,
);
