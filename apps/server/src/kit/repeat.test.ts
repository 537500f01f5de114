import { describe, expect, it } from 'vitest';
import { steadyMs } from './clock.ts';
import { type RepeatOptions, repeat } from './repeat.ts';

const options: RepeatOptions = { waitsMs: [1, 1, 1], untilMs: Number.POSITIVE_INFINITY, isPassing: () => true };

async function callsOf(failures: number, more: Partial<RepeatOptions> = {}): Promise<[calls: number, outcome: string]> {
  let calls = 0;
  const work = async (): Promise<string> => {
    if (calls++ < failures) throw new Error('no');
    return 'yes';
  };
  const outcome = await repeat(work, { ...options, ...more }).catch(() => 'thrown');
  return [calls, outcome];
}

describe('work is done again', () => {
  it('while its cause passes, and not once more than there are waits', async () => {
    expect(await callsOf(0)).toEqual([1, 'yes']);
    expect(await callsOf(2)).toEqual([3, 'yes']);
    expect(await callsOf(9)).toEqual([4, 'thrown']);
  });

  it('not where the cause stays, nor after its time', async () => {
    expect(await callsOf(2, { isPassing: () => false })).toEqual([1, 'thrown']);
    expect(await callsOf(2, { untilMs: steadyMs() - 1 })).toEqual([1, 'thrown']);
    expect(await callsOf(2, { isPassing: (_, isRepeated) => !isRepeated })).toEqual([2, 'thrown']);
  });
});
