import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SERVER = 'apps/server/src';
const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;

interface Source {
  path: string;
  text: string;
  lines: string[];
  imports: string[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)|new URL\('(\.[^']+\.[jt]s)'/g;

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : listFiles(path);
    return /(?<!\.d)\.(?:ts|tsx|mjs)$/.test(entry.name) ? [path] : [];
  });
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(match =>
    relative(ROOT, resolve(ROOT, dirname(path), match[1] ?? match[2] ?? match[3] ?? '')),
  );
  return { path, text, lines: text.split('\n'), imports };
}

const sources = ['apps', 'packages', 'tools', 'e2e', 'bench'].flatMap(listFiles).map(read);
const isTest = ({ path }: Source): boolean => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
const product = sources.filter(source => !isTest(source) && /^(?:apps|packages)\//.test(source.path));
const server = product.filter(({ path }) => path.startsWith(SERVER));

const DOMAIN_ORDER = [
  'audit',
  'user',
  'company',
  'game',
  'catalog',
  'order',
  'payment',
  'webhook',
  'fulfillment',
  'ledger',
  'reconciliation',
  'notification',
  'report',
];

/** Higher may import lower, never the other way round. */
function floorOf(path: string): { floor: number; room: string } {
  const [first = '', second = ''] = relative(SERVER, path).split('/');
  if (first === 'kit') return { floor: 0, room: 'kit' };
  if (['db', 'jobs', 'http', 'mail'].includes(first)) return { floor: 1, room: first };
  if (first === 'domain') return { floor: 10 + DOMAIN_ORDER.indexOf(second), room: `domain/${second}` };
  if (first === 'doors') return { floor: 30, room: `doors/${second}` };
  if (first === 'telemetry') return { floor: 35, room: first };
  const top = ['config.ts', 'master-key.ts', 'until-stopped.ts', 'workers.ts', 'wire.ts', 'commands.ts', 'main.ts'];
  return { floor: 40 + top.indexOf(first), room: first };
}

const offences = (rule: (source: Source) => string[], among = product): string[] =>
  among.flatMap(source => rule(source).map(what => `${source.path}: ${what}`));

const lineOffences = (pattern: RegExp, allowed: (path: string) => boolean, among = server): string[] =>
  offences(
    ({ path, lines }) =>
      allowed(path) ? [] : lines.flatMap((line, i) => (pattern.test(line) ? [`line ${i + 1}: ${line.trim()}`] : [])),
    among,
  );

/** Formatted code: a function ends at the first line that closes at the depth of the line that opened it. */
function longFunctions({ lines }: Source): string[] {
  const opens =
    /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\b|const \w+ = .*(?:=>|function\b).*\{$|\w+\(.*\).*\{$)/;
  return lines.flatMap((line, start) => {
    const indent = opens.exec(line)?.[1];
    if (indent === undefined || !line.trimEnd().endsWith('{') || /^\s*(?:if|for|while|switch|describe)\b/.test(line))
      return [];
    const end = lines.findIndex((other, i) => i > start && other.startsWith(`${indent}}`));
    return end - start > MAX_FUNCTION_LINES ? [`function of ${end - start} lines at line ${start + 1}`] : [];
  });
}

describe('the house', () => {
  it('imports only downwards, and a door never another door', () => {
    const wrong = offences(
      ({ path, imports }) =>
        imports.flatMap(target => {
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

  it('keeps packages apart from the server', () => {
    const packages = product.filter(({ path }) => path.startsWith('packages/'));
    expect(offences(({ imports }) => imports.filter(target => target.startsWith('apps/')), packages)).toEqual([]);
    expect(lineOffences(/from '@coinslot\/server/, () => false, packages)).toEqual([]);
  });

  it('gives the browser app nothing but types', () => {
    const app = product.filter(({ path }) => path.startsWith('apps/dashboard/src/'));
    const taken = ({ text }: Source): string[] =>
      [...text.matchAll(/^import (?!type\b)[^;]*?from '@coinslot\/[\w-]+'/gm)].map(([line]) => line);
    expect(offences(taken, app)).toEqual([]);
  });

  it('has no dead file', () => {
    const entries = /(?:\/main\.tsx?|\/index\.ts|\/gallery\.ts|\.config\.ts)$/;
    const imported = new Set(sources.flatMap(({ imports }) => imports));
    const dead = product.filter(({ path }) => !entries.test(path) && !imported.has(path)).map(({ path }) => path);
    expect(dead).toEqual([]);
  });

  it('has no index.ts but a package entry', () => {
    expect(server.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path)).toEqual([]);
  });
});

describe('a file', () => {
  it(`has at most ${MAX_FILE_LINES} lines`, () => {
    expect(offences(({ lines }) => (lines.length > MAX_FILE_LINES ? [`${lines.length} lines`] : []), sources)).toEqual(
      [],
    );
  });

  it(`has no function of more than ${MAX_FUNCTION_LINES} lines`, () => {
    expect(offences(longFunctions)).toEqual([]);
  });

  it('is named in kebab-case and says what is in it', () => {
    const banned = /^(?:utils?|helpers?|common|misc|types|manager|service)\b/;
    const wrong = sources.filter(({ path }) => {
      const name = path.split('/').at(-1)!;
      return (
        banned.test(name) ||
        !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:sql|jobs|config))?(?:\.test)?\.(?:ts|tsx|mjs)$/.test(name)
      );
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('what is kept in one place', () => {
  it('the environment is read in config.ts alone', () => {
    expect(lineOffences(/process\.env\b/, path => path === `${SERVER}/config.ts`)).toEqual([]);
  });

  it('clock and random come from kit and wire', () => {
    const pattern = /\bDate\.now\(|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bnew Date\(\)|\bperformance\.now\(/;
    expect(lineOffences(pattern, path => path.startsWith(`${SERVER}/kit/`) || path === `${SERVER}/wire.ts`)).toEqual(
      [],
    );
  });

  it('SQL stands in .sql.ts files and in db', () => {
    expect(
      lineOffences(/\bsql(?:PlannedAnew)?\('/, path => path.endsWith('.sql.ts') || path.startsWith(`${SERVER}/db/`)),
    ).toEqual([]);
  });

  it('a payment provider is named in its own folder, and where the program is put together and configured', () => {
    const own = (path: string): boolean =>
      path.includes('/payment/gateways/stripe/') || /\/(?:wire|config)\.ts$/.test(path);
    // A list of words that passwords are made of.
    const exempt = new Set(['apps/server/src/domain/user/guessable-password.ts']);
    const naming = server.filter(({ path, text }) => !own(path) && !exempt.has(path) && /stripe(?!s\b)/i.test(text));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });
});

interface SqlStatement {
  path: string;
  name: string;
  text: string;
}

const statements: SqlStatement[] = server
  .filter(({ path }) => path !== `${SERVER}/db/sql.ts`)
  .flatMap(({ path, text }) =>
    [...text.matchAll(/\bsql(?:PlannedAnew)?\('(\w+)'\)`([^`]*)`/g)].map(match => ({
      path,
      name: match[1]!,
      text: match[2]!,
    })),
  );

describe('a statement', () => {
  it('has a name of its own', () => {
    const names = statements.map(({ name }) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('spells its columns out and takes its time from app_now()', () => {
    const wrong = statements.filter(
      ({ text }) => /select\s+(?:\w+\.)?\*(?!\s+from (?:unnest|input))/.test(text) || /(?<!app_)\bnow\(\)/.test(text),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('names its environment', () => {
    // Each of these is about no tenant, or is a worker's claim: what it returns names the environment, and all that follows does.
    const exempt = new Set([
      'clock_read',
      'health_find_read_only',
      'health_update_heartbeat',
      'event_fan_out_lock',
      'order_claim_lapsed',
      'delivery_list_held_too_long',
      'event_claim_fan_out',
      'job_claim',
      'job_delete',
      'job_failed',
      'queue_find_ages',
      'environment_lock_shared',
      'webhook_lock_environment',
      'receipt_list_member_emails',
      'method_switch_list',
      'method_switch_insert',
      'scan_settings',
      'changes_find_newest',
      'roll_up_lock_attempts',
      'roll_up_move_attempts',
      'roll_up_lock_events',
      'roll_up_note_next',
      'roll_up_note_xmax',
      'roll_up_move_events',
      'roll_up_lock_orders',
      'roll_up_move_orders',
      'roll_up_restart',
      'roll_up_find_until',
      'ledger_lock',
      'ledger_reader_find',
      'ledger_reader_update',
      'ledger_list_captured',
      'provider_company_lock',
      'provider_event_delete_old',
      'provider_account_list_all',
      'reconciliation_company_of',
      'reconciliation_day_due',
    ]);
    // An account at a provider belongs to a company with all its environments.
    const isOfCompany = ({ path, text }: SqlStatement): boolean =>
      /\/payment\/connections\/|\/reconciliation\/|\/payment\/gateways\//.test(path) &&
      /company_id|account_id/.test(text);
    const isTenantless = (one: SqlStatement): boolean =>
      /\/domain\/(?:audit|user|company|game)\//.test(one.path) || one.path.includes('/mail/') || isOfCompany(one);
    const wrong = statements.filter(
      one => !exempt.has(one.name) && !isTenantless(one) && !one.text.includes('environment_id'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
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

it('the folders of the plan exist', () => {
  for (const folder of ['apps/server/migrations', 'packages/contract', 'packages/checkout-page', 'docs/reference']) {
    expect(existsSync(join(ROOT, folder))).toBe(true);
  }
});
