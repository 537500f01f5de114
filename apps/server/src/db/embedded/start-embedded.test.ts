import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Embedded, findRunning, startEmbedded } from './start-embedded.ts';

const CHILD = fileURLToPath(new URL('../../../../../packages/testing/src/embedded-child.ts', import.meta.url));
const settings = { fsync: 'off' };

let root: string;
let dataDir: string;
const children: ChildProcess[] = [];
const started: Embedded[] = [];

const start = async (folder = dataDir): Promise<Embedded> => {
  const embedded = await startEmbedded({ dataDir: folder, log: () => {}, settings });
  started.push(embedded);
  return embedded;
};

interface OtherProcess {
  url: string;
  adopted: boolean;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startInOtherProcess(folder = dataDir): Promise<OtherProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', CHILD, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  const said: { url: string; adopted: boolean } = JSON.parse(String(line));
  return {
    ...said,
    async end(signal) {
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).then(
    result => client.end().then(() => result.rows),
    (error: unknown) => client.end().then(() => Promise.reject(error)),
  );
}

const postmasterPid = async (folder = dataDir): Promise<number> =>
  Number((await readFile(join(folder, 'postgres-18/cluster/postmaster.pid'), 'utf8')).split('\n')[0]);

// A process that ended but was not yet reaped by its parent still takes signals; on Linux its command line is empty.
const isRunning = (pid: number): boolean => {
  try {
    return process.platform === 'linux' ? readFileSync(`/proc/${pid}/cmdline`).length > 0 : process.kill(pid, 0);
  } catch {
    return false;
  }
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'coinslot-launcher-'));
  dataDir = join(root, 'data');
});

afterEach(async () => {
  for (const embedded of started.splice(0)) await embedded.stop();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(async () => {
  // Whatever a failed test left running ends here: the last one out stops the server.
  for (const name of await readdir(root)) {
    if ((await findRunning(join(root, name)).catch(() => undefined)) === undefined) continue;
    await start(join(root, name)).then(embedded => embedded.stop());
  }
  await rm(root, { recursive: true, force: true });
});

/** Once the program was killed the process is a child of the machine, which sees its end a moment later. */
const expectEnded = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

describe('the embedded PostgreSQL', () => {
  it('is set up by the first start, with text in UTF-8, checksums and real durability', async () => {
    const embedded = await startEmbedded({ dataDir, log: () => {} });
    started.push(embedded);
    expect(embedded.adopted).toBe(false);
    const [row] = await query(
      embedded.url,
      `select current_database() as name, current_setting('server_encoding') as encoding,
        current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listen,
        (select rolsuper from pg_roles where rolname = current_user) as super`,
    );
    expect(row).toEqual({
      name: 'coinslot',
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
      commit: 'on',
      listen: '',
      super: false,
    });
  });

  it('keeps its password where only the owner can read it', async () => {
    const { mode } = await stat(join(dataDir, 'postgres-18/password'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('really ends with stop, and keeps the rows for the next start', async () => {
    const first = await start();
    await query(first.url, 'create table kept (n int)');
    await query(first.url, 'insert into kept values (42)');
    const pid = await postmasterPid();
    await first.stop();
    await expectEnded(pid);
    expect(await findRunning(dataDir)).toBeUndefined();

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('is adopted by the next start after a kill -9 of the program', async () => {
    const other = await startInOtherProcess();
    const pid = await postmasterPid();
    await other.end('SIGKILL');
    expect(isRunning(pid)).toBe(true);

    const embedded = await start();
    expect(embedded.adopted).toBe(true);
    expect(await postmasterPid()).toBe(pid);
    await embedded.stop();
    await expectEnded(pid);
  });

  it('is started once when two programs start at the same time in an empty folder', async () => {
    const folder = join(root, 'two');
    const both = await Promise.all([startInOtherProcess(folder), startInOtherProcess(folder)]);
    expect(both.filter(one => one.adopted)).toHaveLength(1);
    expect(both[0].url).toBe(both[1].url);
    expect(await findRunning(folder)).toBe(both[0].url);

    const pid = await postmasterPid(folder);
    await both[0].end('SIGTERM');
    expect(isRunning(pid)).toBe(true);
    expect(await query(both[1].url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await both[1].end('SIGTERM');
    await expectEnded(pid);
  });

  it('comes back at the same address when it is killed under a running program', async () => {
    const embedded = await start();
    await query(embedded.url, 'insert into kept values (43)');
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(
      async () => {
        expect(await query(embedded.url, 'select max(n)::int as n from kept')).toEqual([{ n: 43 }]);
        expect(await postmasterPid()).not.toBe(pid);
      },
      { timeout: 60_000 },
    );
  });

  it('starts over the lock file of a killed server, also when its pid now belongs to another process', async () => {
    const other = await startInOtherProcess();
    const pid = await postmasterPid();
    await other.end('SIGKILL');
    process.kill(pid, 'SIGKILL');
    const lockFile = join(dataDir, 'postgres-18/cluster/postmaster.pid');
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000 });
    const lock = await readFile(lockFile, 'utf8');
    await writeFile(lockFile, lock.replace(String(pid), String(process.pid)));

    const embedded = await start();
    expect(embedded.adopted).toBe(false);
    expect(await query(embedded.url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }]);
  });

  it('listens on loopback when the path is too long for a socket', async () => {
    const embedded = await start(join(root, 'd'.repeat(100)));
    expect(new URL(embedded.url).hostname).toBe('127.0.0.1');
    expect(await query(embedded.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('names the folder and the way out when the data folder cannot be used', async () => {
    const file = join(root, 'a-file');
    await writeFile(file, '');
    await expect(start(join(file, 'data'))).rejects.toThrow(
      new RegExp(`The data folder ${file}/data cannot be used .*DATA_DIR.*DATABASE_URL`),
    );
  });
});
