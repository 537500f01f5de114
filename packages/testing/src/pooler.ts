import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../apps/server/src/db/embedded/postmaster.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export type PoolMode = 'session' | 'transaction';

export interface Pooler {
  url: string;
  stop(): Promise<void>;
}

const UNPRIVILEGED = 65_534;
const START_MS = 10_000;

/** The first line of what pgbouncer says of itself; null: it is not on this machine. */
export function poolerHere(): string | null {
  const { error, stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  return error ? null : (stdout.split('\n')[0] ?? '');
}

async function untilItAnswers(url: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 50) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: START_MS });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (waitedMs >= START_MS) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** pgbouncer with its own defaults, but for where it listens, who may come, and what the caller sets. */
export async function startPooler(
  mode: PoolMode,
  databaseUrl: string,
  settings: Record<string, string | number> = {},
): Promise<Pooler> {
  // The server's socket may lie in a folder of ours; the pooler runs as a user who owns nothing.
  const proxy = await startTcpProxy(databaseUrl);
  const target = new URL(proxy.url);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-pooler-'));
  const name = target.pathname.slice(1);
  const user = decodeURIComponent(target.username);
  const password = decodeURIComponent(target.password);
  const lines = [
    '[databases]',
    `${name} = host=127.0.0.1 port=${target.port} dbname=${name} user=${user} password=${password}`,
    '[pgbouncer]',
    `pool_mode = ${mode}`,
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`),
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${lines.join('\n')}\n`);
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', ['-q', file], {
    stdio: 'ignore',
    ...(isRoot && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
  });
  const exited = once(child, 'exit');
  const url = `postgresql://${target.username}@127.0.0.1:${port}/${name}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  };
  await untilItAnswers(url).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}
