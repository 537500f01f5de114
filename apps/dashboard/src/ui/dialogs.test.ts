import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.tsx'))
  .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Splits a file into its components, which stand one after the other. */
const componentsOf = ({ path, text }: (typeof files)[number]) =>
  text.split(/\n(?=(?:export )?(?:function|const) \w)/).map(part => ({ path, part }));

const components = files.flatMap(componentsOf);

const named = ({ path, part }: { path: string; part: string }): string =>
  `${path} ${/(?:function|const) (\w+)/.exec(part)?.[1] ?? ''}`;

const shows = (part: string): boolean => /FormProblem|fieldProblem|otherProblem|problemText|error=\{/.test(part);

describe('every dialog that does something', () => {
  const acting = components.filter(({ part }) => /<Dialog\b/.test(part) && /useAction\(|\.mutate\(/.test(part));

  test('says in itself why it could not, because the rest of the page is inert', () => {
    expect(acting.length).toBeGreaterThan(12);
    expect(acting.filter(({ part }) => !shows(part)).map(named)).toEqual([]);
  });

  test('does not say so behind itself too', () => {
    const asking = components.filter(({ part }) => /<(?:Dialog|ConfirmDialog|PasswordDialog)\b/.test(part));
    const loud = asking.filter(({ part }) => {
      const acts = part.match(/useAction\(/g)?.length ?? 0;
      return /onSubmit|<ConfirmDialog|<PasswordDialog/.test(part) && acts > 0 && !part.includes('quiet: true');
    });
    expect(asking.length).toBeGreaterThan(20);
    expect(loud.map(named)).toEqual([]);
  });
});
