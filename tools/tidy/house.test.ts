import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBelow, lineOffenses, offenses, product, ROOT, SERVER, type Source, server, sources } from './sources.ts';
import { UNFINISHED } from './unfinished.ts';

/** A module may import those before it. */
const DOMAIN_ORDER = [
  'shop.ts',
  'audit',
  'retention',
  'event',
  'user',
  'company',
  'game',
  'catalog',
  'order',
  'payment',
  'webhook',
  'purchase',
  'ledger',
  'reconciliation',
  'notification',
  'reporting',
  'privacy',
];

const TOP = ['settings', 'program', 'commands', 'main.ts'];

function place(names: string[], name: string, what: string): number {
  const found = names.indexOf(name);
  if (found < 0) throw new Error(`${name} is not in the order of ${what}`);
  return found;
}

/** Higher may import lower, never the other way round. */
function floorOf(path: string): { floor: number; room: string } {
  const [first = '', second = ''] = relative(SERVER, path).split('/');
  if (first === 'kit') return { floor: 0, room: 'kit' };
  if (['db', 'jobs', 'http', 'mail'].includes(first)) return { floor: 1, room: first };
  if (first === 'domain') return { floor: 10 + place(DOMAIN_ORDER, second, 'domain'), room: `domain/${second}` };
  if (first === 'doors') return { floor: 30, room: `doors/${second}` };
  if (first === 'telemetry') return { floor: 35, room: first };
  return { floor: 40 + place(TOP, first, 'the server'), room: first };
}

describe('the server', () => {
  it('imports only downwards, and a door never another door', () => {
    const wrong = offenses(
      ({ path, imports }) =>
        imports
          .filter(target => target.startsWith(SERVER))
          .flatMap(target => {
            const from = floorOf(path);
            const to = floorOf(target);
            const isAllowed =
              from.room === to.room || to.floor < from.floor || (to.floor === from.floor && to.floor === 1);
            return isAllowed ? [] : [`imports ${target}`];
          }),
      server,
    );
    expect(wrong).toEqual([]);
  });

  it('is described and drawn in the same order of modules', () => {
    const modules = DOMAIN_ORDER.filter(name => name !== 'shop.ts');
    const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
    const described = /the shop, in this order: ([\s\w,()]+?)\n {4}doors\//.exec(read('ARCHITECTURE.md'))![1]!;
    expect(
      described
        .replaceAll(/\([^)]*\)/g, '')
        .split(/[\s,]+/)
        .filter(Boolean),
    ).toEqual(modules);
    const drawn = [...read('docs/architecture.svg').matchAll(/<text [^>]*>(\w+)<\/text>/g)].map(([, name]) => name!);
    expect(drawn.filter(name => modules.includes(name))).toEqual(modules);
  });

  it('imports no file of another program', () => {
    const wrong = offenses(({ imports }) => imports.filter(target => !target.startsWith('apps/server/')), server);
    expect(wrong).toEqual([]);
  });

  it('has one context, the shop, and no list of dependencies for each use case', () => {
    const listed = ({ text }: Source): string[] =>
      [...text.matchAll(/\b(?:interface|type) \w*(?:Deps|Dependencies)\b[^\n]*/g)].map(([line]) => line);
    expect(offenses(listed, server)).toEqual([]);
  });

  it('has no index.ts', () => {
    expect(server.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path)).toEqual([]);
  });
});

describe('the dashboard', () => {
  const app = product.filter(({ path }) => path.startsWith('apps/dashboard/src/'));

  it('takes nothing but types from the packages', () => {
    const taken = ({ text }: Source): string[] =>
      [...text.matchAll(/^import (?!type\b)[^;]*?from '@coinslot\/[\w-]+'/gm)].map(([line]) => line);
    expect(offenses(taken, app)).toEqual([]);
  });

  it('has a kit that imports nothing of ui, shell and pages', () => {
    const kit = app.filter(({ path }) => path.startsWith('apps/dashboard/src/kit/'));
    const higher = /^apps\/dashboard\/src\/(?:ui|shell|pages)\//;
    const wrong = offenses(({ imports }) => imports.filter(target => higher.test(target)), kit);
    expect(kit.length).toBeGreaterThan(0);
    expect(wrong.filter(path => !isBelow(path, UNFINISHED.dashboardKit))).toEqual([]);
    expect(UNFINISHED.dashboardKit.filter(folder => !wrong.some(path => isBelow(path, [folder])))).toEqual([]);
  });
});

describe('the packages', () => {
  it.each(['sdk', 'cli'])('%s is published without a condition that only this repository has', name => {
    const manifest = readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).not.toHaveProperty('private');
    expect(manifest).not.toContain('"source"');
  });

  it('stay apart from the apps', () => {
    const packages = product.filter(({ path }) => path.startsWith('packages/'));
    expect(offenses(({ imports }) => imports.filter(target => target.startsWith('apps/')), packages)).toEqual([]);
    expect(lineOffenses(/from '@coinslot\/(?:server|dashboard)/, () => false, packages)).toEqual([]);
  });
});

describe('the repository', () => {
  it('has no import cycles', () => {
    const byPath = new Map(sources.map(source => [source.path, source]));
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (state.get(path) === 'done') return;
      if (state.get(path) === 'open') {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
        return;
      }
      state.set(path, 'open');
      for (const target of byPath.get(path)?.imports ?? []) visit(target, [...trail, path]);
      state.set(path, 'done');
    };
    for (const { path } of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('has no dead file', () => {
    const entries = /(?:\/main\.tsx?|\/index\.ts|\/gallery\.ts|\.config\.ts)$/;
    const imported = new Set(sources.flatMap(({ imports }) => imports));
    const dead = product.filter(({ path }) => !entries.test(path) && !imported.has(path)).map(({ path }) => path);
    expect(dead).toEqual([]);
  });

  it.each(['apps/server/migrations', 'packages/contract', 'packages/checkout-page', 'docs/reference'])(
    'has the folder %s',
    folder => expect(existsSync(join(ROOT, folder))).toBe(true),
  );
});
