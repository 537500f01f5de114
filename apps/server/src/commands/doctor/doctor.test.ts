import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { loadConfig } from '../../settings/config.ts';
import { judgeAudit } from './check-audit.ts';
import { judgeServer } from './check-database.ts';
import { judgeArchiving, judgeSlot, judgeTransactionIds } from './check-upkeep.ts';
import { doctorCommand } from './doctor.ts';
import { type Finding, findingText } from './finding.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop({ workers: true });
});
afterAll(() => shop?.close());

interface Examined {
  code: number;
  findings: Finding[];
  text: string;
}

async function examine(env: Record<string, string> = {}): Promise<Examined> {
  const { program, database } = shop;
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, PUBLIC_URL: shop.url, ...env });
  const deps = {
    config,
    parts: program.parts,
    databaseUrl: config.databaseUrl!,
    version: '0.0.0-test',
    writeError: () => {},
  };
  const lines: string[] = [];
  const code = await doctorCommand.run(['--json'], { ...deps, write: line => void lines.push(line) });
  const text: string[] = [];
  await doctorCommand.run([], { ...deps, write: line => void text.push(line) });
  return { code, findings: (JSON.parse(lines[0]!) as { findings: Finding[] }).findings, text: text.join('\n') };
}

const stateOf = ({ findings }: Examined, what: string): string[] =>
  findings.filter(finding => finding.what === what).map(({ state }) => state);

it('finds nothing wrong with a shop that works, and says what mails need', async () => {
  await shop.payBy(await shop.order());
  await expect.poll(async () => stateOf(await examine(), 'worker')).toEqual(['ok']);
  const examined = await examine();
  // The test's server does not wait for its disk, and the test has moved the shop's clock.
  const known = ['durability', 'clock'];
  expect(examined.findings.filter(({ state, what }) => state === 'wrong' && !known.includes(what))).toEqual([]);
  expect(stateOf(examined, 'provider stripe')).toEqual(['ok']);
  expect(examined.text).toMatch(/note {3}mail: SMTP_URL is not set[^\n]*\n +→ npm run mails/);
});

it('goes through the audit log, and names the entry that was changed behind its back (row 179)', async () => {
  await shop.program.workers.drain();
  const found = async () => (await examine()).findings.find(({ what }) => what === 'audit log');
  expect(await found()).toMatchObject({ state: 'ok', says: expect.stringMatching(/entries are as they were written/) });
  const { db } = shop.database;
  await db.transaction(async tx => {
    await tx.execute(sql('t_guard_off')`alter table audit_entries disable trigger user`);
    await tx.execute(
      sql('t_forge')`update audit_entries set actor = 'eve' where seq = (select min(seq) from audit_links)`,
    );
  });
  expect(await found()).toMatchObject({ state: 'wrong', says: expect.stringMatching(/^entry \d+ was changed/) });
  const state = { entries: 1, head: 'ab', fault: null, unlinked: 2, oldestUnlinkedSeconds: 601 };
  expect(judgeAudit(state)).toMatchObject({ state: 'note', advice: 'Is a worker running?' });
});

it('names each thing that is wrong with what to do about it, and ends with 1', async () => {
  const { db } = shop.database;
  await db.query(
    sql('t_no_endpoint')`update webhook_subscriptions set enabled = false where environment_id is not null`,
  );
  await db.query(sql('t_rest')`insert into delivery_attempts
    (environment_id, delivery_id, attempt, started_at, duration_ms, url, request_headers)
    values ('env_1', 'dlv_0', 1, now(), 1, 'https://game.example', '{}')`);
  await db.query(sql('t_backup')`insert into heartbeats (kind, beat_at) values ('backup', now() - interval '9 days')`);
  const examined = await examine({ PUBLIC_URL: 'http://127.0.0.1:9' });
  expect(examined.code).toBe(1);
  for (const what of ['games', 'public URL']) expect([what, ...stateOf(examined, what)]).toEqual([what, 'wrong']);
  for (const what of ['WAL archiving', 'backup', 'partitions'])
    expect([what, ...stateOf(examined, what)]).toEqual([what, 'note']);
  expect(examined.text).toMatch(/backup: the last one is 9 days old/);
  expect(stateOf(examined, 'replication slots')).toEqual(['ok']);
  expect(judgeSlot({ name: 'forgotten', keptBytes: 1_000 })).toMatchObject({ state: 'note' });
  expect(findingText(judgeSlot({ name: 'forgotten', keptBytes: 9 * 1024 ** 3 }))).toMatch(
    /^WRONG .*no standby reads "forgotten", and it keeps 9\.0 GB[\s\S]*pg_drop_replication_slot\('forgotten'\)/,
  );
  expect(stateOf(examined, 'transaction ids')).toEqual(['ok']);
  for (const { state, advice } of examined.findings) if (state !== 'ok') expect(advice).toMatch(/\w/);
});

it('judges the age of transaction ids and an archive that fails by what PostgreSQL does then', () => {
  const million = 1_000_000;
  const stateAt = (age: number): string => judgeTransactionIds({ age, name: 'coinslot' }).state;
  expect([200, 700, 1_600].map(age => stateAt(age * million))).toEqual(['ok', 'note', 'wrong']);
  const lastFailed = '2026-11-18 02:00:00+00';
  expect(judgeArchiving({ mode: 'on', isFailing: false, lastFailed }).state).toBe('ok');
  expect(judgeArchiving({ mode: 'on', isFailing: true, lastFailed })).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining(lastFailed),
  });
});

it('says of a database that takes no writes that it takes none (row 203)', () => {
  const facts = { version: '17.2', major: 17, fsync: 'on', synchronousCommit: 'on', isReadOnly: false };
  expect(judgeServer(facts)).toMatchObject({ state: 'ok', says: expect.stringContaining('takes writes') });
  expect(judgeServer({ ...facts, isReadOnly: true })).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('takes no writes'),
    advice: expect.stringContaining('target_session_attrs'),
  });
});

it('names another version of the schema, and blames nothing else for it (row 130)', async () => {
  const { db } = shop.database;
  await db.query(sql('t_newer')`insert into migrations (number, name, hash, oldest_program)
    values (9999, '9999_far-ahead.sql', 'x', 9999)`);
  const newer = await examine();
  expect([newer.code, ...stateOf(newer, 'schema')]).toEqual([1, 'wrong']);
  await db.query(sql('t_before')`alter table migrations drop column oldest_program`);
  await db.query(sql('t_before_keys')`alter table master_keys rename to keys_of_old`);
  const before = await examine();
  expect(before.text).toMatch(/schema: this database was made by a version from before/);
  expect(stateOf(before, 'master key')).toEqual([]);
});

it('says of an address that leads nowhere what is wrong with it, and asks no further (row 143)', async () => {
  const away = await examine({ DATABASE_URL: 'postgresql://coinslot@127.0.0.1:9/coinslot' });
  expect(away.findings.filter(({ what }) => what !== 'mail' && what !== 'public URL')).toEqual([
    expect.objectContaining({ what: 'database', says: expect.stringMatching(/^DATABASE_URL: nothing listens at/) }),
  ]);
});
