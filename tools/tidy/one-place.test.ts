import { ENDPOINTS } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { lineOffenses, SERVER, sources } from './sources.ts';

describe('what is kept in one place', () => {
  it('the environment is read in config.ts alone', () => {
    expect(lineOffenses(/process\.env\b/, path => path === `${SERVER}/config.ts`)).toEqual([]);
  });

  it('clock and random come from kit and wire', () => {
    const pattern = /\bDate\.now\(|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bnew Date\(\)|\bperformance\.now\(/;
    expect(lineOffenses(pattern, path => path.startsWith(`${SERVER}/kit/`) || path === `${SERVER}/wire.ts`)).toEqual(
      [],
    );
  });
});

describe('an endpoint', () => {
  const tests = sources
    .filter(({ path }) => path.endsWith('.test.ts') && /doors|e2e/.test(path))
    .map(({ text }) => text);

  it.each(Object.values(ENDPOINTS).map(({ name, path }) => ({ name, path })))(
    '$name is called by a test',
    ({ path }) => {
      const pattern = new RegExp(
        path
          .split(/\{\w+\}/)
          .map(part => part.replaceAll('/', '\\/'))
          .join('(?:\\$\\{[^}]+\\}|[\\w%.-]+)'),
      );
      expect(tests.some(text => pattern.test(text))).toBe(true);
    },
  );
});
