/** Grant and key in one transaction of the game's own database, in Python and Go, with processes that are killed between any two steps. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '@coinslot/testing/database';
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

const noSqlite = await missing({
  probe: [
    'sh',
    '-c',
    `gcc --version && test -d ${GOCODE}/src/github.com/mattn/go-sqlite3 && test -e /usr/include/sqlite3.h`,
  ],
  packages: ['golang-go', 'golang-github-mattn-go-sqlite3-dev', 'libsqlite3-dev', 'gcc', 'libc6-dev'],
});

/** The game's own database, which a test looks into. */
interface Books {
  url: string;
  run(text: string): Promise<void>;
  granted(player: string): Promise<number>;
  close(): Promise<void>;
}

interface Game {
  library: string;
  open: () => Promise<Books>;
  /** Sets the end of every lease back. */
  lapse: string;
  run: (url: string, place: string, key: string) => [string, ...string[]];
}

let folder: string;

async function openPostgres(): Promise<Books> {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await rehash(client, database.url, 4_096);
  return {
    url: database.url,
    run: async text => void (await client.query(text)),
    granted: async player =>
      Number((await client.query('select count(*) from grants where player = $1', [player])).rows[0].count),
    async close() {
      await rehash(client, database.url, 1);
      await client.end();
      await database.drop();
    },
  };
}

/** Asked by Python, which every Debian has; Node 20 has no SQLite. */
async function openSqlite(): Promise<Books> {
  const file = join(folder, 'game.sqlite');
  const ask = async (text: string, ...values: string[]): Promise<string> => {
    const code = `import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=20)
print(json.dumps(db.execute(sys.argv[2], sys.argv[3:]).fetchall()))
db.commit()`;
    return (await exec('/usr/bin/python3', ['-c', code, file, text, ...values])).stdout;
  };
  return {
    url: `file:${file}?_busy_timeout=20000`,
    run: async text => void (await ask(text)),
    granted: async player =>
      (JSON.parse(await ask('select count(*) from grants where player = ?', player)) as [[number]])[0][0],
    close: () => rm(file, { force: true }),
  };
}

const python = (library: string): Game => ({
  library: `Python with ${library}`,
  open: openPostgres,
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
  open: openPostgres,
  lapse: 'update coinslot_webhooks set lease_until = 0 where done = 0',
  run: (url, ...args) => [join(folder, 'game'), settingsOf(url), ...args],
};
const goSqlite: Game = {
  library: 'Go with go-sqlite3',
  open: openSqlite,
  lapse: go.lapse,
  run: (...args) => [join(folder, 'game-sqlite'), ...args],
};
const libraries = ['psycopg2', 'psycopg', 'psycopg cursor', 'SQLAlchemy', 'SQLAlchemy session'];
const GAMES: Game[] = [
  ...(noPython ? [] : libraries.map(python)),
  ...(noGo ? [] : [go]),
  ...(noSqlite ? [] : [goSqlite]),
];
const left = [noPython, noGo, noSqlite].filter(why => why !== null);

/** Debian has no module cache, so it is built the old way, by the path. */
async function buildGo(name: string, driver: string, cgo: '0' | '1'): Promise<void> {
  const sources = ['game.go', driver].map(file => join(HERE, file));
  await exec('go', ['build', '-tags', 'libsqlite3', '-o', join(folder, name), ...sources], {
    env: { PATH, HOME: folder, GO111MODULE: 'off', GOPATH: `${folder}:${GOCODE}`, CGO_ENABLED: cgo },
  });
}

/** The password of the tests is hashed once, which is quick, and which lib/pq refuses: it is hashed as usual for a while. */
async function rehash(client: pg.Client, url: string, times: number): Promise<void> {
  const password = client.escapeLiteral(decodeURIComponent(new URL(url).password));
  await client.query(`set scram_iterations = ${times}; alter role current_user password ${password}`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-games-'));
  await mkdir(join(folder, 'src'));
  await cp(join(ROOT, 'packages/go'), join(folder, 'src/coinslot'), { recursive: true });
  if (!noGo) await buildGo('game', 'game-postgres.go', '0');
  if (!noSqlite) await buildGo('game-sqlite', 'game-sqlite.go', '1');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe(`a game${left.length > 0 ? `; not run without ${left.join(', ')}` : ''}`, () => {
  // Without a single library the file would fail for having no test.
  test.skipIf(GAMES.length > 0)('has no library to run with', context => context.skip());

  describe.each(GAMES)('in $library', ({ open, run, lapse }) => {
    let books: Books;

    beforeAll(async () => {
      books = await open();
      await books.run('create table grants (player text not null)');
    });
    afterAll(() => books.close());

    /** The status that it answered, or the signal that ended it. */
    async function deliver(place: string, key: string): Promise<string> {
      const [program, ...args] = run(books.url, place, key);
      const env = { PATH, HOME: folder, PYTHONPATH: join(ROOT, 'packages/python'), PYTHONDONTWRITEBYTECODE: '1' };
      return exec(program, args, { env }).then(
        ({ stdout }) => stdout.trim(),
        (error: { signal: string | null; stderr: string }) => error.signal ?? error.stderr,
      );
    }
    const granted = (key: string): Promise<number> => books.granted(key);

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
      await books.run(lapse);
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
