import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applied, ROOT, SERVER } from './bundle.ts';
import { MUTANTS } from './list.ts';

test('every mutant still finds the text that it changes, once', () => {
  const wrong = MUTANTS.flatMap(({ name, changes }) =>
    changes.flatMap(change => {
      try {
        applied(readFileSync(join(ROOT, SERVER, change.file), 'utf8'), change);
        return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    }),
  );
  expect(wrong).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test('every test that is named for a mutant is there', () => {
  const named = MUTANTS.flatMap(one => one.test ?? []);
  for (const { file, title } of named) expect(readFileSync(join(ROOT, SERVER, file), 'utf8')).toContain(title);
  expect(named.length).toBeGreaterThan(0);
});
