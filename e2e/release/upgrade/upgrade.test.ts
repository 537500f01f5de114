/**
 * An operator's way from one version to the next and back, with players who buy all the while. Old is the last release, or the
 * program of this commit while there is none; the next three are made of this commit with migrations of their own.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type EmptyDatabase, emptyDatabase } from '@coinslot/testing/database';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { partOf, sectionOf } from '../../../tools/release/changelog.ts';
import { countOrders, loadDatabase } from '../../../tools/release/fixture-database.ts';
import { releaseFolder, releasesIn } from '../../../tools/release/released.ts';
import { type RunningProgram, startProgram } from '../../../tools/release/run-program.ts';
import { inSequence } from '../../in-sequence.ts';
import { type Buyers, startBuyers } from './buyers.ts';
import { RELEASES } from './split-column.ts';
import { nextVersion, oldVersion, type Version } from './versions.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LONGEST_MS = 900_000;
const exec = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-upgrade-'));
const releases = releasesIn(ROOT);
const last = releases.at(-1);
/** The last release says nothing yet of what comes after it; the part for the next version does. */
const mayRollBack = !/^nothing/i.test(
  releases.length === 0
    ? ''
    : partOf(sectionOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), 'Unreleased') ?? '', 'May roll back to'),
);

let database: EmptyDatabase;
let settings: NodeJS.ProcessEnv;
let game: Game;
let buyers: Buyers;
let old: Version;
let expand: Version;
let switched: Version;
let contract: Version;
let backup: string;
const running = new Map<Version, RunningProgram>();

const command = async (version: Version, args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> => {
  const { PATH, HOME } = process.env;
  const { stdout, stderr } = await exec(process.execPath, [version.program, ...args], {
    env: { PATH, HOME, ...settings, ...more },
  });
  return stdout + stderr;
};

async function run(version: Version): Promise<string> {
  const program = await startProgram(version.program, settings);
  running.set(version, program);
  return program.url;
}

/** Starts it, and lets players buy there as well. */
const start = async (version: Version): Promise<void> => buyers.use(await run(version));

async function stop(version: Version): Promise<void> {
  const program = running.get(version)!;
  await buyers.leave(program.url);
  running.delete(version);
  await program.stop();
}

const query = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};

/** Some orders more, and no request that was not answered as it must be. */
async function sellSome(count: number): Promise<void> {
  await buyers.morePaid(count);
  expect(buyers.failures).toEqual([]);
}

const refusalOf = async (version: Version): Promise<string> => {
  const started = startProgram(version.program, settings);
  return started.then(
    async program => {
      await program.stop();
      return 'it started';
    },
    (error: Error) => error.message,
  );
};

/** Whatever it finds: a test's database has no archive and no backup of today. */
const doctorOf = (version: Version): Promise<string> =>
  command(version, ['doctor']).catch((error: { stdout: string; stderr: string }) => error.stdout + error.stderr);

inSequence();

beforeAll(async () => {
  old = oldVersion(scratch);
  [expand, switched, contract] = RELEASES.map(one => nextVersion(scratch, one, old)) as [Version, Version, Version];
  database = await emptyDatabase();
  const masterKey = last?.masterKey ?? randomBytes(32).toString('base64');
  settings = {
    DATABASE_URL: database.url,
    DATA_DIR: join(scratch, 'data'),
    MASTER_KEY: masterKey,
    RATE_LIMIT_PER_MINUTE: '0',
    STOP_DELAY_SECONDS: '0',
  };
  let key = last?.s2sKey ?? '';
  if (last) {
    const folder = releaseFolder(ROOT, last.version);
    await loadDatabase(database.url, gunzipSync(readFileSync(join(folder, 'database.sql.gz'))).toString('utf8'));
    backup = join(folder, 'shop.backup.gz');
  } else {
    const owner = ['--email=owner@studio.example', '--password=orange lamp on the roof', '--company=Northwind Games'];
    const title = ['--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890', '--json'];
    const { PATH, HOME } = process.env;
    const made = await exec(process.execPath, [old.program, 'setup', ...owner, ...title], {
      env: { PATH, HOME, ...settings },
    });
    key = (JSON.parse(made.stdout) as { sandbox: { s2s_key: string } }).sandbox.s2s_key;
  }
  game = await startGame({ secret: key });
  buyers = startBuyers(key, 3);
  const url = await run(old);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const listed = (await (await fetch(`${url}/s2s/v1/webhooks`, { headers })).json()) as { data: { id: string }[] };
  for (const { id } of listed.data ?? []) await fetch(`${url}/s2s/v1/webhooks/${id}`, { method: 'DELETE', headers });
  const body = JSON.stringify({ url: game.url, events: ['item.add', 'item.remove'] });
  expect((await fetch(`${url}/s2s/v1/webhooks`, { method: 'POST', headers, body })).status).toBe(201);
  // Not before: an order whose webhook is deleted before the game has said yes is canceled.
  buyers.use(url);
}, LONGEST_MS);

afterAll(async () => {
  await buyers?.end();
  for (const program of running.values()) await program.stop();
  await game?.close();
  await database?.drop();
  rmSync(scratch, { recursive: true, force: true });
}, LONGEST_MS);

test('the old version takes orders, and its backup is kept', { timeout: LONGEST_MS }, async () => {
  await sellSome(5);
  if (last) expect(await countOrders(database.url)).toMatchObject({ canceled: last.orders.canceled });
  else {
    backup = join(scratch, 'old.backup.gz');
    await command(old, ['backup', backup]);
  }
});

test('the next version migrates while the old one takes orders: a column, a constraint, an index, and two halves of a column', {
  timeout: LONGEST_MS,
}, async () => {
  const migrated = command(expand, ['migrate']);
  await sellSome(3);
  expect(await migrated).toMatch(/split-opening[\s\S]*fill-halves/);
  await sellSome(3);
  const [facts] = await query<{ unsplit: number; valid: boolean; checked: boolean }>(`
    select (select count(*)::int from orders where (opened_at is null) <> (opened_on is null)) as unsplit,
           (select indisvalid from pg_index where indexrelid = 'orders_by_opening'::regclass) as valid,
           (select convalidated from pg_constraint where conname = 'orders_note_is_short') as checked`);
  expect(facts).toEqual({ unsplit: 0, valid: true, checked: true });
  await expect(query(`update orders set note = repeat('x', 201)`)).rejects.toThrow('orders_note_is_short');
});

test('old and new take orders together, then the new one alone', { timeout: LONGEST_MS }, async () => {
  await start(expand);
  await sellSome(8);
  await stop(old);
  await sellSome(4);
});

test.runIf(mayRollBack)(
  'the old one takes over again, on the schema of the new one',
  { timeout: LONGEST_MS },
  async () => {
    await start(old);
    await stop(expand);
    await sellSome(5);
    const [row] = await query<{ unsplit: number }>(
      'select count(*)::int as unsplit from orders where (opened_at is null) <> (opened_on is null)',
    );
    expect(row).toEqual({ unsplit: 0 });
    await start(expand);
    await stop(old);
  },
);

test('the second release uses the halves beside the first, which still uses the whole', {
  timeout: LONGEST_MS,
}, async () => {
  const migrated = command(switched, ['migrate']);
  await sellSome(2);
  expect(await migrated).toContain('whole-openings');
  await start(switched);
  await sellSome(8);
  // Players go on while this is counted.
  const paid = buyers.paid.size;
  const [row] = await query<{ differ: number; opened: number }>(`
    select count(*) filter (where opened_at is distinct from (opened_on + opened_time) at time zone 'utc')::int as differ,
           count(opened_on)::int as opened from orders`);
  expect(row).toMatchObject({ differ: 0 });
  expect(row!.opened).toBeGreaterThanOrEqual(paid);
  await stop(expand);
});

test('the third release drops the whole while the second takes orders; what needs the whole is refused', {
  timeout: LONGEST_MS,
}, async () => {
  const migrated = command(contract, ['migrate']);
  await sellSome(2);
  expect(await migrated).toContain('drop-opening');
  await start(contract);
  await sellSome(6);
  await stop(switched);
  await sellSome(3);
  for (const version of [old, expand]) {
    const refusal = await refusalOf(version);
    expect(refusal).toMatch(/The database has migration \d{4}_drop-opening\.sql, which this version does not know/);
    expect(refusal).not.toMatch(/\n\s+at /);
  }
  expect(await doctorOf(contract)).not.toMatch(/does not know|lacks migration/);
  const judged = await doctorOf(old);
  expect(judged).toMatch(/drop-opening\.sql, which this version does not know/);
  expect(judged).not.toMatch(/master.key/i);
});

test('every order that was ever created is paid and granted once', { timeout: LONGEST_MS }, async () => {
  await buyers.end();
  expect(buyers.failures).toEqual([]);
  expect(buyers.paid.size).toBe(buyers.created.size);
  const grants = [...buyers.created.keys()].map(player => game.inventory.get(player)?.get('sword') ?? 0);
  expect(grants.filter(count => count !== 1)).toEqual([]);
  const rows = await query<{ status: string; n: number }>(
    `select status, count(*)::int as n from orders where player_id like 'player-%' group by 1`,
  );
  expect(rows).toEqual([{ status: 'paid', n: buyers.created.size }]);
  const unbalanced = await query(
    `select 1 from ledger_entries group by environment_id, posting_id, currency having sum(amount_minor) <> 0`,
  );
  expect(unbalanced).toEqual([]);
});

test('the backup of the old version is restored by the newest one, which goes on with it', {
  timeout: LONGEST_MS,
}, async () => {
  const other = await emptyDatabase();
  try {
    const said = await command(contract, ['restore', backup], { DATABASE_URL: other.url });
    expect(said).toMatch(/^Restored: .*The ledger sums to zero and the master key fits/);
    expect(said).toMatch(/migrated: \d{4}_drop-opening\.sql/);
    const restored = await countOrders(other.url);
    if (last) expect(restored).toEqual(last.orders);
    else expect(restored.paid).toBeGreaterThanOrEqual(5);
    const program = await startProgram(contract.program, { ...settings, DATABASE_URL: other.url });
    try {
      // The backup's worker was last seen long ago; this one says so at its first round.
      const isReady = async (): Promise<number> => (await fetch(`${program.url}/readyz`)).status;
      await expect.poll(isReady, { timeout: 60_000, interval: 200 }).toBe(200);
    } finally {
      await program.stop();
    }
  } finally {
    await other.drop();
  }
});
