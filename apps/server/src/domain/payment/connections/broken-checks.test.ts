import type { ConnectionCheck } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { failed, fine, unknown, warning } from '../gateways/checks.ts';
import type { Check } from '../gateways/provider.ts';
import { brokenChecks } from './broken-checks.ts';

const after = (...tests: Check[]): boolean[] => {
  let kept: ConnectionCheck[] = [];
  return tests.map(check => {
    kept = brokenChecks(kept, [check]);
    return kept[0]!.broken;
  });
};

describe('a check needs attention', () => {
  it('whenever it fails, and no longer when it works', () => {
    expect(after(failed('keys', 'Copy both.'), fine('keys'))).toEqual([true, false]);
  });

  it('when it worked and is only warned of now, until it works again', () => {
    const off = warning('methods', 'Finish it.', 'iDEAL');
    expect(after(fine('methods', 'iDEAL'), off, off, fine('methods', 'iDEAL'))).toEqual([false, true, true, false]);
  });

  it('never when it was not ready before, or is not known', () => {
    const off = warning('methods', 'Finish it.', 'iDEAL');
    expect(after(off, off)).toEqual([false, false]);
    expect(after(fine('methods', 'Card'), off)).toEqual([false, false]);
    expect(after(fine('callback'), unknown('callback'))).toEqual([false, false]);
  });
});
