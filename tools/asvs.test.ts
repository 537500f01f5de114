import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, ROOT } from './tidy/sources.ts';

/** The requirements of levels 1 and 2 of ASVS 5.0, by section: the last number of each. */
const SECTIONS: Record<string, number> = {
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
};

const text = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');
const rows = text
  .split('\n')
  .filter(line => /^\| \d/.test(line))
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')))
  .map(([number = '', , state = '', , shown = '']) => ({
    number,
    state,
    files: [...shown.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file),
  }));

describe('fields for passwords', () => {
  const pages = listFiles('apps/dashboard/src', /\.tsx$/).map(path => readFileSync(join(ROOT, path), 'utf8'));

  it('hide what is typed, name their purpose for password managers, and hinder no pasting', () => {
    const fields = pages.flatMap(page => page.match(/<\w+(?:[^<>]|=>)*(?:current|new)-password"(?:[^<>]|=>)*>/g) ?? []);
    expect(fields.length).toBeGreaterThanOrEqual(8);
    expect(fields.filter(field => !field.includes('type="password"'))).toEqual([]);
    expect(pages.filter(page => page.includes('onPaste'))).toEqual([]);
  });
});

describe('the page about ASVS', () => {
  it('has every requirement of its chapters, once and in order', () => {
    const wanted = Object.entries(SECTIONS).flatMap(([section, last]) =>
      Array.from({ length: last }, (_, i) => `${section}.${i + 1}`),
    );
    expect(rows.map(({ number }) => number)).toEqual(wanted);
  });

  it('names a test for everything that is met, and only files that exist', () => {
    const states = ['met', 'partly', 'not met', 'does not apply'];
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([]);
    expect(rows.filter(({ state, files }) => (state === 'met' || state === 'partly') && files.length === 0)).toEqual(
      [],
    );
    const files = rows.flatMap(row => row.files);
    expect(files.filter(file => !file.endsWith('.test.ts') || !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('says first how many are met, and which are not', () => {
    const count = (state: string): number => rows.filter(row => row.state === state).length;
    const open = rows.filter(({ state }) => state === 'partly' || state === 'not met').map(({ number }) => number);
    expect(text.replaceAll('\n', ' ')).toContain(
      `Of ${rows.length} requirements ${count('met')} are met, ${count('partly')} are met in part, ${count('not met')} are not met, ` +
        `and ${count('does not apply')} do not apply. Not wholly met: ${open.join(', ')}.`,
    );
  });
});
