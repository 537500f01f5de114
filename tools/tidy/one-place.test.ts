import { ENDPOINTS } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { lineOffenses, product, SERVER, server, sources } from './sources.ts';
import { UNFINISHED } from './unfinished.ts';

describe('what is kept in one place', () => {
  it('the environment is read in settings alone', () => {
    expect(lineOffenses(/process\.env\b/, path => path === `${SERVER}/settings/config.ts`)).toEqual([]);
  });

  it('the command line is read in commands, and main.ts hands it over', () => {
    const isCommand = (path: string): boolean => path.startsWith(`${SERVER}/commands/`) || path === `${SERVER}/main.ts`;
    const pattern = /\bprocess\.(?:argv|stdout|exitCode)\b|\bparseArgs\b|\bdefineCommand\b/;
    expect(server.filter(({ path }) => isCommand(path)).length).toBeGreaterThan(20);
    expect(lineOffenses(pattern, isCommand)).toEqual([]);
  });

  it('clock and random come from kit, parts and wire', () => {
    const given = new Set([`${SERVER}/program/parts.ts`, `${SERVER}/program/wire.ts`]);
    const pattern = /\bDate\.now\(|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bnew Date\(\)|\bperformance\.now\(/;
    expect(lineOffenses(pattern, path => path.startsWith(`${SERVER}/kit/`) || given.has(path))).toEqual([]);
  });

  it('no part that runs for long asks URL.canParse, which Node 20 answers wrongly (row 117)', () => {
    const lasting = product.filter(({ path }) => !path.startsWith('packages/cli/'));
    expect(lineOffenses(/\bURL\.canParse\(/, () => false, lasting)).toEqual([]);
  });

  it('no door spreads a body: each field that a use case gets is named', () => {
    const doors = server.filter(({ path }) => path.startsWith(`${SERVER}/doors/`));
    expect(doors.length).toBeGreaterThan(30);
    expect(lineOffenses(/\.\.\.(?:\w+\.)?body\b/, () => false, doors)).toEqual([]);
  });

  it('a payment provider is named in its own folder, and where the program is put together and configured', () => {
    const own = (path: string): boolean =>
      /\/payment\/providers\/(?!base\/|simulator\/)\w+\//.test(path) ||
      /\/(?:known-providers|settings\/config|settings\/settings|settings\/provider-settings)\.ts$/.test(path);
    const pages = product.filter(({ path }) => path.startsWith('packages/checkout-page/src/'));
    // The method of the same name is not the provider.
    const NAMED = /[Ss]tripe(?!s\b)|STRIPE(?!S\b)|PAYPAL_|[a-z]Paypal|paypal-|[Mm]ollie|MOLLIE/;
    const naming = [...server, ...pages].filter(({ path, text }) => !own(path) && NAMED.test(text));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });
});

describe('an exported name', () => {
  /** Neighbors that do the same, each in its own way. None imports another, so no reader meets two of them in one file. */
  const MIRRORS = [
    { room: /^(apps\/server\/src\/domain\/payment\/providers)\/(?!base\/)(\w+)\//, because: 'providers fill one port' },
    { room: /^(apps\/server\/src\/doors)\/(\w+)\//, because: 'doors mount the same resources for other callers' },
    { room: /^(packages\/testing\/src)\/(\w+-double)\//, because: 'doubles of providers do what providers do' },
    { room: /^(packages\/texts\/src)\/([\w-]+)\//, because: 'each catalog of texts has the same languages' },
  ];
  const programOf = (path: string): string =>
    path.startsWith('tools/') ? 'tools' : path.split('/').slice(0, 2).join('/');
  const mirrorOf = (path: string) => MIRRORS.map(({ room }) => room.exec(path)).find(Boolean) ?? [path, path, path];
  const isMirrored = (paths: readonly string[]): boolean => {
    const rooms = paths.map(mirrorOf);
    const [, family] = rooms[0]!;
    return (
      rooms.every(([, other]) => other === family) && new Set(rooms.map(([, , room]) => room)).size === paths.length
    );
  };

  it('is declared in one file of a program, so that it means one thing', () => {
    const files = new Map<string, string[]>();
    const declaring = sources.filter(({ path }) => /^(?:apps|packages|tools)\//.test(path) && !path.includes('.test.'));
    for (const { path, declared } of declaring)
      for (const name of new Set(declared)) {
        const key = `${programOf(path)}: ${name}`;
        files.set(key, [...(files.get(key) ?? []), path]);
      }
    expect(files.size).toBeGreaterThan(3_000);
    const several = [...files].filter(([, paths]) => paths.length > 1 && !isMirrored(paths));
    expect(several.filter(([name]) => !UNFINISHED.names.some(one => name === one))).toEqual([]);
    expect(UNFINISHED.names.filter(one => !several.some(([name]) => name === one))).toEqual([]);
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
