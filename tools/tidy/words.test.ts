import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBelow, listFiles, ROOT } from './sources.ts';
import { stemsRefused } from './stems.ts';
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

describe('names and comments', () => {
  const sources = ['apps', 'packages', 'tools', 'e2e', 'bench', 'examples']
    .flatMap(folder => listFiles(folder, /(?<!\.d)\.(?:ts|tsx|mjs)$/))
    // These tables name the refused words themselves.
    .filter(path => !path.startsWith('tools/tidy/'));
  const refusedBy = new Map(sources.map(path => [path, stemsRefused(path, read(path))]));

  it('use no word that was given up, in any of its forms', () => {
    const wrong = sources.filter(path => !isBelow(path, UNFINISHED.stems)).flatMap(path => refusedBy.get(path)!);
    expect(wrong).toEqual([]);
  });

  it('are unfinished only where a refused word is left', () => {
    const left = (folder: string): boolean =>
      sources.some(path => isBelow(path, [folder]) && refusedBy.get(path)!.length > 0);
    expect(UNFINISHED.stems.filter(folder => !left(folder))).toEqual([]);
  });

  it.each([
    ['a.ts', 'const tellOwners = told_at;', ['tellOwners', 'told_at']],
    ['a.ts', 'interface Leg { walkedOn: News }', ['Leg', 'walkedOn', 'News']],
    ['a.ts', 'class A { #strayCharges = 1; called_off() {} }', ['strayCharges', 'called_off']],
    ['a.tsx', 'const a = <RailEntry key="rail" />;', ['RailEntry']],
    ['lost-entrance.ts', '', ['lost-entrance']],
    ['a.ts', '// Made anew, for ever.', ['anew', 'for ever']],
    ['a.ts', "const detail = trailing.legend(allegro, 'tell the news', roommate, telling);", ['telling']],
    ['a.ts', 'const No = Held.noted;', ['No', 'Held']],
  ])('%s: %s', (path, text, names) => {
    const found = stemsRefused(path, text).map(line => /: ([^:]+) \(/.exec(line)![1]!);
    expect(found.toSorted()).toEqual(names.toSorted());
  });
});
