import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { codeFiles, isNamedIn, PART_PATHS, textsByPart } from '../../split-texts.ts';
import english from './en.json' with { type: 'json' };

const keys = Object.keys(english);
const parts = textsByPart(keys);
/** These files import pages of both kinds and load the texts along with them. */
const LOADERS = ['router.tsx', 'shell/second-factor-gate.tsx'];

test('a text comes first if the first page names it, a form of it, or the beginning of its name', () => {
  const code = ["t('home.title')", 't(`checklist.$', "{step}`) t('rows', { count })"].join('');
  const wanted = ['home.title', 'checklist.pay', 'rows_one', 'rows_other'];
  expect(wanted.filter(key => !isNamedIn(code, key))).toEqual([]);
  expect(['home.other', 'exam.checklist.pay', 'row'].filter(key => isNamedIn(code, key))).toEqual([]);
});

test('all that home and the shell can say comes first, and most of the texts do not', () => {
  const needed = keys.filter(key => /^(?:home|nav|checklist|rates|list|problem|connection)\./.test(key));
  expect(needed.filter(key => !parts.core.includes(key))).toEqual([]);
  expect(parts.core.length).toBeLessThan(keys.length / 3);
});

test('every text is in a part, most are in one, and none that comes first comes again', () => {
  expect(new Set([...parts.core, ...parts.shop, ...parts.setup])).toEqual(new Set(keys));
  const later = [...parts.shop, ...parts.setup];
  expect(later.filter(key => parts.core.includes(key))).toEqual([]);
  expect(later.length - new Set(later).size).toBeLessThan(keys.length / 6);
});

test('a page says only what comes first or with its own part: it draws nothing of the other kind of pages', () => {
  const partOf = (path: string): string | undefined =>
    Object.entries(PART_PATHS).find(([, paths]) => paths.test(path))?.[0];
  const strangers = codeFiles().flatMap(path => {
    const code = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    return [...code.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, name = '']) => posix.join(posix.dirname(path), name))
      .filter(other => ['shop', 'setup'].includes(partOf(other) ?? ''))
      .filter(other => !LOADERS.includes(path) && partOf(path) !== partOf(other))
      .map(other => `${path} → ${other}`);
  });
  expect(strangers).toEqual([]);
});
