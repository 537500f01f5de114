import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { open, readFile, readlink, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, cleanEnvironment, launchOptions } from './cluster.ts';
import { program } from './runtime.ts';

const run = promisify(execFile);

const SOCKET_PORT = 5432;
// The kernel's limit for the path of a socket, with its closing zero.
const MAX_SOCKET_PATH_BYTES = 107;
const MAX_LOG_BYTES = 4 * 1024 * 1024;
const POLL_MS = 10;

const SETTINGS: Record<string, string> = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_connections: '100',
  synchronous_commit: 'on',
  jit: 'off',
  wal_buffers: '16MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  autovacuum_naptime: '15s',
  // Counted again when a table has grown by half, from a fifth of the rows. By the defaults a young shop under load counts all its tables every
  // 15 seconds, which took an eighth of PostgreSQL's time; plans here find rows by index and depend on no count that close.
  autovacuum_analyze_scale_factor: '0.5',
  autovacuum_analyze_threshold: '1000',
  default_statistics_target: '20',
  // Parallel plans take shared memory that containers keep to 64 MB.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of a statement reach the caller; their text can hold a player's data and must not reach a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export interface Postmaster {
  pid: number;
  port: number;
  isReady: boolean;
  isLive: boolean;
}

export interface Started {
  child: ChildProcess;
  /** Why it ended before it was ready; undefined while it runs. */
  failure(): Promise<string | undefined>;
}

export const usesSocket = (cluster: Cluster): boolean =>
  process.platform !== 'win32' &&
  Buffer.byteLength(join(cluster.dir, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH_BYTES;

// PostgreSQL accepts settings of extensions it does not know. This one only names whose server a process is.
const markOf = (dir: string): string => `coinslot.cluster=${dir}`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether this pid is the server of this cluster and not a stranger that was given the same number after a crash. */
async function isServerOf(pid: number, dir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    if ((await readlink(`/proc/${pid}/cwd`).catch(() => '')) === dir) return true;
    // In a container root may not look into the processes of other users; their command line is open to all.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.split('\0').includes(markOf(dir));
  }
  if (process.platform === 'win32') return isAlive(pid);
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes(markOf(dir));
}

/** What PostgreSQL's own lock file says, checked against the process table. */
export async function readPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster.dir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const isLive = await isServerOf(pid, cluster.dir);
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready', isLive };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>(resolve => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The file is opened for appending, so cutting it while the server writes is safe. */
export async function boundLog(cluster: Cluster): Promise<void> {
  const found = await stat(cluster.logFile).catch(() => undefined);
  if (found && found.size > MAX_LOG_BYTES) await truncate(cluster.logFile);
}

const listenSettings = (cluster: Cluster, port: number): Record<string, string> =>
  usesSocket(cluster)
    ? { listen_addresses: '', unix_socket_directories: '.', port: String(SOCKET_PORT) }
    : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };

export async function spawnPostmaster(
  cluster: Cluster,
  runtimeDir: string,
  port: number,
  settings: Record<string, string>,
): Promise<Started> {
  await boundLog(cluster);
  const last = await readPostmaster(cluster);
  const { dataArgument, options } = launchOptions(cluster.dir, cluster.account);
  const pairs = Object.entries({ ...SETTINGS, ...settings, ...listenSettings(cluster, port) });
  const given = [...pairs.map(([name, value]) => `${name}=${value}`), markOf(cluster.dir)];
  const log = await open(cluster.logFile, 'a', 0o600);
  const logStart = (await log.stat()).size;
  // PostgreSQL takes a stale lock file over, unless its pid now is another process of the same user; it does not
  // count the pid that pg_ctl names here. Removing the file ourselves could remove that of a server just started.
  const isStale = last && !last.isLive;
  const env = isStale && options.env ? { ...options.env, PG_GRANDPARENT_PID: String(last.pid) } : options.env;
  // Detached: Ctrl-C in the terminal must reach us first, and stop it only when no other process uses it.
  const child = spawn(program(runtimeDir, 'postgres'), ['-D', dataArgument, ...given.flatMap(text => ['-c', text])], {
    ...options,
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  let ended: string | undefined;
  child.once('error', error => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? code}`;
  });
  child.unref();
  await log.close();
  const said = async () => (await readFile(cluster.logFile)).subarray(logStart).toString('utf8').trim();
  return { child, failure: async () => (ended === undefined ? undefined : `${ended}: ${await said()}`) };
}

/** Fast shutdown: sessions are cut, everything committed is on disk, the next start needs no recovery. */
export async function stopPostmaster(cluster: Cluster, runtimeDir: string, timeoutMs: number): Promise<boolean> {
  const running = await readPostmaster(cluster);
  if (!running?.isLive) return true;
  if (process.platform === 'win32') {
    await run(program(runtimeDir, 'pg_ctl'), ['kill', 'INT', String(running.pid)], { env: cleanEnvironment() });
  } else process.kill(running.pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
    if (!(await isServerOf(running.pid, cluster.dir))) return true;
    await pause(POLL_MS);
  }
  return false;
}
