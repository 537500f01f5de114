import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBelow, listFiles, ROOT } from './sources.ts';
import { UNFINISHED } from './unfinished.ts';
import { wordsRefused } from './words.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const files = listFiles('', /\.(?:ts|tsx|mjs|md|sql|css|html|ya?ml)$|^(?:package|en)\.json$/).filter(
  // Made from the contract, which is looked at itself.
  path => !path.startsWith('docs/reference/'),
);

const offensesBy = new Map(files.map(path => [path, wordsRefused(path, read(path))]));

describe('words', () => {
  it('are the field’s own, in American spelling, with the actor named', () => {
    const wrong = files.filter(path => !isBelow(path, UNFINISHED.words)).flatMap(path => offensesBy.get(path)!);
    expect(wrong).toEqual([]);
  });

  it('are unfinished only where a refused one is left', () => {
    const left = (folder: string): boolean =>
      files.some(path => isBelow(path, [folder]) && offensesBy.get(path)!.length > 0);
    expect(UNFINISHED.words.filter(folder => !left(folder))).toEqual([]);
  });

  it.each([
    ['the colours of a neighbour', ['colour', 'neighbour']],
    ['const fulfilmentOf = authorised(Behaviours);', ['fulfil', 'authorised', 'Behaviour']],
    ['Whoever asks, nobody answers.', ['Whoever', 'nobody']],
    ['attend_at attendPayment attend-payment reattending attendance', ['attend', 'attend', 'attend']],
    ['fold-events foldEvents fold_events scaffold-x unfold folder', ['fold-events', 'foldEvents', 'fold_events']],
    ['cancelled, cancellation, canceled', ['cancelled']],
    ['a realistic optimist who fulfills the license of a MonoBehaviour', []],
    ['premise, promise, otherwise, comparison, four hours of your tour', []],
  ])('%s', (text, words) => {
    const found = wordsRefused('a.ts', text).map(line => /: (\S+) \(/.exec(line)![1]!);
    expect(found.toSorted()).toEqual(words.toSorted());
  });
});
