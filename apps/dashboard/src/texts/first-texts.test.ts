import { expect, test } from 'vitest';
import { firstCode, isNamedIn } from '../../first-texts.ts';
import english from './en.json' with { type: 'json' };

const keys = Object.keys(english);

test('a text comes first if the first page names it, a form of it, or the beginning of its name', () => {
  const code = ["t('home.title')", 't(`checklist.$', "{step}`) t('rows', { count })"].join('');
  const wanted = ['home.title', 'checklist.pay', 'rows_one', 'rows_other'];
  expect(wanted.filter(key => !isNamedIn(code, key))).toEqual([]);
  expect(['home.other', 'exam.checklist.pay', 'row'].filter(key => isNamedIn(code, key))).toEqual([]);
});

test('all that home and the shell can say comes first, and most of the texts do not', () => {
  const code = firstCode();
  const first = keys.filter(key => isNamedIn(code, key));
  const needed = keys.filter(key => /^(?:home|nav|checklist|rates|list|problem|connection)\./.test(key));
  expect(needed.filter(key => !first.includes(key))).toEqual([]);
  expect(first.length).toBeLessThan(keys.length / 3);
});
