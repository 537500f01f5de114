import { describe, expect, it } from 'vitest';
import { failed, fine, unknown, warning } from '../providers/base/checks.ts';
import type { Check } from '../providers/base/provider.ts';
import { brokenChecks, checkViews, type KeptCheck } from './broken-checks.ts';

const COPY = { en: 'Copy both.', de: 'Kopiere beide.' };
const FINISH = { en: 'Finish it.', de: 'Schließe es ab.' };

const after = (...tests: Check[]): boolean[] => {
  let kept: KeptCheck[] = [];
  return tests.map(check => {
    kept = brokenChecks(kept, [check]);
    return kept[0]!.broken;
  });
};

describe('a check needs attention', () => {
  it('whenever it fails, and no longer when it works', () => {
    expect(after(failed('keys', COPY), fine('keys'))).toEqual([true, false]);
  });

  it('when it worked and is only warned of now, until it works again', () => {
    const off = warning('methods', FINISH, 'iDEAL');
    expect(after(fine('methods', 'iDEAL'), off, off, fine('methods', 'iDEAL'))).toEqual([false, true, true, false]);
  });

  it('never when it was not ready before, or is not known', () => {
    const off = warning('methods', FINISH, 'iDEAL');
    expect(after(off, off)).toEqual([false, false]);
    expect(after(fine('methods', 'Card'), off)).toEqual([false, false]);
    expect(after(fine('callback'), unknown('callback'))).toEqual([false, false]);
  });
});

describe('a check is read', () => {
  it('in the language of the member who looks', () => {
    const kept = brokenChecks([], [failed('keys', COPY), fine('clock')]);
    expect(checkViews(kept, 'de').map(({ advice }) => advice)).toEqual([COPY.de, null]);
    expect(checkViews(kept, 'en').map(({ advice }) => advice)).toEqual([COPY.en, null]);
  });
});
