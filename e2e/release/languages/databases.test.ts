/** Grant and key in one transaction of the game's own database, in Python and Go, with processes that are killed between any two steps. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missing } from '../debian-packages.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const exec = promisify(execFile);
const { PATH = '' } = process.env;

/** Debian's own Python, because its packages are not for others. */
const PYTHON = '/usr/bin/python3';
const noPython = await missing({
  probe: [PYTHON, '-c', 'import psycopg2, psycopg, sqlalchemy'],
  packages: ['python3-psycopg2', 'python3-psycopg', 'python3-sqlalchemy'],
});
const GOCODE = '/usr/share/gocode';
const noGo = await missing({
  probe: ['sh', '-c', `go version && test -d ${GOCODE}/src/github.com/lib/pq`],
  packages: ['golang-go', 'golang-github-lib-pq-dev'],
});

interface Game {
  library: string;
  /** Sets the end of every lease back. */
  lapse: string;
  run: (url: string, place: string, key: string) => [string, ...string[]];
}

let folder: string;
const python = (library: string): Game => ({
  library: `Python with ${library}`,
  lapse: 'update coinslot_webhooks set until = 0 where done = 0',
  run: (...args) => [PYTHON, join(HERE, 'game.py'), library, ...args],
});
/** lib/pq takes the host of a URL before that of its query, which is our socket. */
function settingsOf(address: string): string {
  const { hostname, port, username, password, pathname, searchParams } = new URL(address);
  const host = searchParams.get('host') ?? hostname;
  const all = { host, port, user: username, password, dbname: pathname.slice(1), sslmode: 'disable' };
  return Object.entries(all)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}='${decodeURIComponent(value)}'`]))
    .join(' ');
}

const go: Game = {
  library: 'Go with lib/pq',
  lapse: 'update coinslot_webhooks set lease_until = 0 where done = 0',
  run: (url, ...args) => [join(folder, 'game'), settingsOf(url), ...args],
};
const libraries = ['psycopg2', 'psycopg', 'psycopg cursor', 'SQLAlchemy', 'SQLAlchemy session'];
const GAMES: Game[] = [...(noPython ? [] : libraries.map(python)), ...(noGo ? [] : [go])];
const left = [noPython, noGo].filter(why => why !== null);

/** Debian has no module cache, so it is built the old way, by the path. */
async function buildGo(): Promise<void> {
  await mkdir(join(folder, 'src'));
  await cp(join(ROOT, 'packages/go'), join(folder, 'src/coinslot'), { recursive: true });
  await exec('go', ['build', '-o', join(folder, 'game'), join(HERE, 'game.go')], {
    env: { PATH, HOME: folder, GO111MODULE: 'off', GOPATH: `${folder}:${GOCODE}`, CGO_ENABLED: '0' },
  });
}

/** The password of the tests is hashed once, which is quick, and which lib/pq refuses: it is hashed as usual for a while. */
async function rehash(client: pg.Client, url: string, times: number): Promise<void> {
  const password = client.escapeLiteral(decodeURIComponent(new URL(url).password));
  await client.query(`set scram_iterations = ${times}; alter role current_user password ${password}`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-games-'));
  if (!noGo) await buildGo();
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe(`a game${left.length > 0 ? `; not run without ${left.join(', ')}` : ''}`, () => {
  describe.each(GAMES)('in $library', ({ run, lapse }) => {
    let database: TestDatabase;
    let client: pg.Client;

    beforeAll(async () => {
      database = await testDatabase();
      client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('create table grants (player text not null)');
      await rehash(client, database.url, 4_096);
    });
    afterAll(async () => {
      await rehash(client, database.url, 1);
      await client.end();
      await database.drop();
    });

    /** The status that it answered, or the signal that ended it. */
    async function deliver(place: string, key: string): Promise<string> {
      const [program, ...args] = run(database.url, place, key);
      const env = { PATH, HOME: folder, PYTHONPATH: join(ROOT, 'packages/python'), PYTHONDONTWRITEBYTECODE: '1' };
      return exec(program, args, { env }).then(
        ({ stdout }) => stdout.trim(),
        (error: { signal: string | null; stderr: string }) => error.signal ?? error.stderr,
      );
    }
    const granted = async (key: string): Promise<number> =>
      Number((await client.query('select count(*) from grants where player = $1', [key])).rows[0].count);

    test.each([
      ['began', 0],
      ['granted', 0],
      ['finished', 0],
      ['committed', 1],
    ])('that is killed when it has %s grants once', async (place, held) => {
      expect(await deliver(place, place)).toBe('SIGKILL');
      expect(await granted(place)).toBe(held);
      // Until then it is under way, unless the commit has told of the end.
      expect(await deliver('nowhere', place)).toBe(held === 1 ? '200' : '503');
      await client.query(lapse);
      for (let again = 0; again < 2; again++) expect(await deliver('nowhere', place)).toBe('200');
      expect(await granted(place)).toBe(1);
    });

    test('that fails gives the key back at once, and nothing is granted before it succeeds', async () => {
      expect(await deliver('fails', 'fails')).toBe('500');
      expect(await granted('fails')).toBe(0);
      expect(await deliver('nowhere', 'fails')).toBe('200');
      expect(await granted('fails')).toBe(1);
    });
  });
});
