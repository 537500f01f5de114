import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { lineAt, listFiles, offenses, ROOT, SERVER, type Source, server } from './sources.ts';
import {
  namesEnvironment,
  readsOtherClock,
  readsStar,
  type SqlTemplate,
  templatesIn,
  templatesOf,
} from './statements.ts';

const templates = server.filter(({ path }) => path !== `${SERVER}/db/sql.ts`).flatMap(templatesOf);
const statements = templates.filter(({ tag }) => tag !== 'fragment');
const say = ({ path, line, name }: SqlTemplate): string => `${path}:${line} ${name ?? 'fragment'}`;

const isPlaceForSql = (path: string): boolean => path.endsWith('.sql.ts') || path.startsWith(`${SERVER}/db/`);

/** Each is about no tenant or about all of them, or is a worker's claim that returns the environment for what follows. */
const WITHOUT_ENVIRONMENT = new Set([
  'clock_read',
  // Marks are of a company, as differences are; what is marked names its environment.
  'attention_mark_lock',
  'attention_mark_upsert',
  'attention_mark_list',
  // Numbers are of all environments; what is read by them names its own.
  'feed_find_newest',
  'feed_find_read',
  'feed_find_removed',
  'retention_update_removed_seq',
  'audit_list_of_user',
  'audit_find',
  // The chain goes over the entries of all companies.
  'audit_find_newest',
  // Budgets are a company's.
  'exam_count_recent',
  'rate_count_find',
  'open_streams_count',
  'audit_list_digests',
  'audit_link_find_last',
  'audit_link_insert',
  'audit_link_list_to_check',
  'audit_find_unlinked',
  'owner_list_to_notify',
  'health_update_heartbeat',
  'health_limit_memory',
  'schema_list_applied',
  'schema_list_invalid_indexes',
  'doctor_find_server',
  'doctor_count_own_sessions',
  'doctor_find_transaction_age',
  'doctor_list_abandoned_slots',
  'doctor_find_archiving',
  'doctor_find_backup_age',
  'doctor_list_rows_in_rest',
  'health_write_to_free_space',
  'rate_count_add',
  'rate_count_delete_ended',
  'open_streams_upsert',
  'open_streams_delete',
  'master_key_list',
  'master_key_lock',
  'master_key_insert',
  'master_key_update',
  'event_fan_out_lock',
  'event_list_to_fan_out',
  'order_claim_lapsed',
  'endpoint_insert',
  'endpoint_list_due',
  'endpoint_find_limited',
  'endpoint_lock_claims',
  'endpoint_lock_release',
  'job_claim',
  'exam_claim',
  'job_delete',
  'job_failed',
  'job_renew',
  'health_find_worker_beat',
  'replica_find_written',
  'replication_find_state',
  'reconciliation_find_state',
  'replica_count_passed',
  'method_switch_list',
  'method_switch_insert',
  'figures_delete',
  'figures_daily_delete',
  'buyer_months_delete',
  'payment_values_delete',
  'search_postings_delete',
  'delivery_figures_delete',
  'figures_find_totals',
  'listener_list_lapsed',
  'listen_request_claim',
  'scan_settings',
  'reader_find_newest_event',
  'reader_find_newest_order',
  'reader_list_writers',
  'reader_see_commits',
  'reader_lock_position',
  'reader_lock_positions',
  'reader_find_position',
  'reader_update_position',
  'reader_find_lags',
  'retention_make_partitions',
  'retention_lock',
  'retention_find_expired',
  'retention_update_kept_from',
  'retention_find_kept_from',
  'retention_delete_late_attempts',
  'retention_delete_mails',
  'roll_up_lock_attempts',
  'roll_up_move_attempts',
  'roll_up_restart',
  'roll_up_find_until',
  'ledger_list_posted',
  'provider_event_delete_old',
  'provider_account_list_all',
]);

/** Whether a worker is alive is a matter of real time, also where a test moves the clock of the shop. */
const REAL_CLOCK = new Set([
  'health_update_heartbeat',
  'health_find_worker_beat',
  'doctor_find_backup_age',
  'rate_count_add',
  'rate_count_find',
  'rate_count_delete_ended',
  'open_streams_upsert',
  'open_streams_count',
  'open_streams_delete',
]);

describe('SQL', () => {
  it('of the reports only read; what they read is written by roll-ups and counters, each in a folder of that name', () => {
    const isReport = (path: string): boolean =>
      path.startsWith(`${SERVER}/domain/reporting/`) && !/\/reporting\/(?:roll-ups|counters)\//.test(path);
    const writing = templates.filter(
      ({ path, text }) => isReport(path) && /\b(?:insert into|update \w+|delete from|merge into)\b/i.test(text),
    );
    expect(writing.map(say)).toEqual([]);
    expect(templates.filter(({ path }) => isReport(path)).length).toBeGreaterThan(20);
  });

  it('is found in every kind of statement there is', () => {
    expect([...new Set(templates.map(({ tag }) => tag))].toSorted()).toEqual([
      'fragment',
      'sql',
      'sqlForRows',
      'sqlUnprepared',
    ]);
    const imported = "import { fragment, sqlForRows, sqlNew } from '../../db/sql.ts';";
    const seen = templatesIn(`${imported}
      const A = fragment\`a.id, now()\`;
      export const b = sqlForRows<{ id: string }, Row<'x'>>(
        'b_find',
      )\`select * from b where c in (\${sqlNew('c_find')\`select \${A}\`})\`;`);
    expect(seen.map(({ tag, name }) => [tag, name])).toEqual([
      ['fragment', null],
      ['sqlForRows', 'b_find'],
      ['sqlNew', 'c_find'],
    ]);
    expect(seen.map(({ text }) => [readsStar(text), readsOtherClock(text)])).toEqual([
      [false, true],
      [true, false],
      [false, false],
    ]);
  });

  it('stands in .sql.ts files and in db', () => {
    expect(templates.filter(({ path }) => !isPlaceForSql(path)).map(say)).toEqual([]);
  });

  it('is no bare text elsewhere', () => {
    const begins = /^\s*(?:select\s.+\sfrom\s|insert into\s|update \w+ set\s|delete from\s|with \w+ as \()/is;
    const bareTexts = ({ text, program }: Source): string[] => {
      const found: string[] = [];
      const note = (start: number, value: string): void => {
        if (begins.test(value)) found.push(`line ${lineAt(text, start)}: ${value.trim().slice(0, 60)}`);
      };
      new Visitor({
        Literal: ({ start, value }) => (typeof value === 'string' ? note(start, value) : undefined),
        TemplateLiteral: ({ start, quasis }) => note(start, quasis.map(({ value }) => value.raw).join('…')),
      }).visit(program);
      return found;
    };
    const elsewhere = server.filter(({ path }) => !isPlaceForSql(path));
    expect(offenses(bareTexts, elsewhere)).toEqual([]);
  });

  it('spells its columns out and takes its time from app_now()', () => {
    expect(
      templates
        .filter(({ name, text }) => readsStar(text) || (readsOtherClock(text) && !REAL_CLOCK.has(name ?? '')))
        .map(say),
    ).toEqual([]);
  });
});

/** Which schema a database has, who is at work, how far a reader of numbered rows is, and how tables are cut by time. */
const TABLES_OF_DB = ['migrations', 'heartbeats', 'reader_positions', 'time_partitions'];

const tablesOfShop = listFiles('apps/server/migrations', /\.sql$/)
  .flatMap(path => [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(/^create (?:unlogged )?table (?:if not exists )?([\w.]+)/gm),
  ])
  .map(([, name]) => name!)
  .filter(name => !TABLES_OF_DB.includes(name));

const namesTableOfShop = (text: string): string[] =>
  [...text.matchAll(/(?:\b(?:from|join|into|update|table|truncate)\s+|regclass\()'?(?:public\.)?([\w.]+)/gi)]
    .map(([, name]) => name!)
    .filter(name => tablesOfShop.includes(name));

describe('db', () => {
  it('knows no table of the shop', () => {
    const named = ({ text, program }: Source): string[] => {
      const found: string[] = [];
      const note = (start: number, value: string): void => {
        for (const name of namesTableOfShop(value)) found.push(`line ${lineAt(text, start)}: ${name}`);
      };
      new Visitor({
        Literal: ({ start, value }) => (typeof value === 'string' ? note(start, value) : undefined),
        TemplateLiteral: ({ start, quasis }) => note(start, quasis.map(({ value }) => value.raw).join('…')),
      }).visit(program);
      return found;
    };
    expect(tablesOfShop.length).toBeGreaterThan(50);
    expect(namesTableOfShop("select 1 from orders o join simulator.charges c; select to_regclass('users')")).toEqual([
      'orders',
      'simulator.charges',
      'users',
    ]);
    expect(
      offenses(
        named,
        server.filter(({ path }) => path.startsWith(`${SERVER}/db/`)),
      ),
    ).toEqual([]);
  });
});

describe('a statement', () => {
  it('has a name of its own', () => {
    const names = statements.map(({ name }) => name);
    expect(statements.filter(({ name }, i) => name === null || names.indexOf(name) !== i).map(say)).toEqual([]);
  });

  it('names its environment', () => {
    // An account at a provider belongs to a company with all its environments.
    const isOfCompany = ({ path, text }: SqlTemplate): boolean =>
      /\/payment\/(?:merchant-accounts|callbacks|provider-health|providers)\/|\/reconciliation\/|\/reporting\/payouts\//.test(
        path,
      ) && /company_id|account_id/.test(text);
    const isTenantless = (one: SqlTemplate): boolean =>
      /\/domain\/(?:account|user|company|game)\/|\/src\/mail\//.test(one.path) || isOfCompany(one);
    const wrong = statements.filter(
      one => !WITHOUT_ENVIRONMENT.has(one.name!) && !isTenantless(one) && !namesEnvironment(one.text),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('is excused from that only while it exists and needs it', () => {
    const needed = statements.filter(({ text }) => !namesEnvironment(text)).map(({ name }) => name);
    expect([...WITHOUT_ENVIRONMENT].filter(name => !needed.includes(name))).toEqual([]);
  });
});
