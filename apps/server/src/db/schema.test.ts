import { readdir, readFile } from 'node:fs/promises';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);

let database: TestDatabase;
let names: string[];

beforeAll(async () => {
  database = await testDatabase();
  names = (await readdir(FOLDER)).toSorted();
});
afterAll(() => database.drop());

describe('the schema', () => {
  it('is one file, and each later change has the next number', () => {
    expect(names[0]).toBe('0001_schema.sql');
    expect(names.map(name => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  });

  it('is applied whole to an empty database, and a second start changes nothing (row 49)', async () => {
    const applied = await database.db.query<{ name: string }>(
      sql('test_migrations')`select name from migrations order by number`,
    );
    expect(applied.map(({ name }) => name)).toEqual(names);
    expect(await migrate(database.url)).toEqual([]);
  });

  it('says in each file whether it runs in a transaction and which program can live with it', async () => {
    const texts = await Promise.all(names.map(name => readFile(new URL(name, FOLDER), 'utf8')));
    for (const text of texts) {
      expect(text).toMatch(/^-- runs (?:in|outside) a transaction\n-- oldest program: \d{4}\n/);
    }
  });

  it('says above each index which question it answers', async () => {
    const texts = await Promise.all(names.map(name => readFile(new URL(name, FOLDER), 'utf8')));
    const lines = texts.flatMap(text => text.split('\n'));
    const indexes = lines.flatMap((line, at) =>
      /^create (unique )?index/.test(line) ? [{ line, above: lines[at - 1] }] : [],
    );
    expect(indexes.length).toBeGreaterThan(40);
    expect(indexes.filter(({ above }) => !/^-- \w.*[^-]$/.test(above ?? '')).map(({ line }) => line)).toEqual([]);
  });

  /** Each is about people, companies or accounts, which several environments share, or proves itself by a secret. */
  const WITHOUT_ENVIRONMENT: Record<string, string> = {
    users: 'a person signs in once for all games',
    sessions: 'of a user',
    recovery_codes: 'of a user',
    mail_links: 'of a user',
    open_streams: 'of a company, as its members are',
    rate_counts: 'by key and by address, also before a tenant is known',
    sign_in_failures: 'by address and account, before anything is known',
    companies: 'has games',
    members: 'of a company',
    attention_marks: 'of a company, as its differences and providers are',
    company_sso: 'of a company',
    sso_subjects: 'of a company',
    sso_logins: 'of a browser that signs in',
    invitations: 'of a company',
    list_columns: 'of a user, in all of their games',
    audit_entries: 'of a company',
    audit_links: 'one chain over all companies',
    games: 'has environments',
    game_icons: 'of a game; a picture is looked up by its own hash',
    webhook_exams: 'a company has one under way',
    environments: 'is the environment',
    s2s_keys: 'a key is looked up by its hash to learn the environment',
    company_payment_methods: 'of a company',
    company_method_routes: 'of a company',
    company_method_refusals: 'of a company',
    company_routing: 'of a company',
    provider_silences: 'of an account at a provider',
    provider_accounts: 'of a company',
    provider_checks: 'of a company',
    balance_entries: 'of an account at a provider',
    provider_charges: 'the provider names a charge without our environment',
    provider_events: 'the provider names an event without our environment',
    reconciliation_runs: 'of an account at a provider',
    reconciliation_differences: 'of an account at a provider',
    mails: 'some are about a user; the others name their environment',
    jobs: 'some are about a user; the others name their environment',
    reader_positions: 'of a worker',
    heartbeats: 'of a process',
    endpoint_health: 'of an environment or a subscription, by its id',
    master_keys: 'of the whole installation',
    mail_quotas: 'of a sender',
    passkeys: 'of a user',
    passkey_challenges: 'of a browser that signs in',
    migrations: 'of the schema',
    time_partitions: 'of the schema',
  };

  it('has the environment in every unique key, or says why not', async () => {
    const rows = await database.db.query<{ table: string }>(sql('test_unique_keys')`
      select distinct t.relname as table from pg_index i join pg_class t on t.oid = i.indrelid
      where i.indisunique and t.relnamespace in ('public'::regnamespace, 'simulator'::regnamespace)
        and not exists (select 1 from pg_attribute a where a.attrelid = t.oid and a.attnum = any(i.indkey)
                          and a.attname = 'environment_id')`);
    expect(rows.map(({ table }) => table).filter(name => !(name in WITHOUT_ENVIRONMENT))).toEqual([]);
    const excused = Object.keys(WITHOUT_ENVIRONMENT).filter(name => !rows.some(({ table }) => table === name));
    expect(excused).toEqual([]);
  });
});
