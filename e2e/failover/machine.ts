import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PACKAGES = ['etcd-server', 'patroni', 'python3-etcd', 'python3-psycopg2', 'postgresql'];
const POSTGRES_FOLDER = '/usr/lib/postgresql';

/** What the lab runs besides the program itself. */
export interface Engines {
  etcd: string;
  patroni: string;
  /** The folder with `postgres`, `initdb` and `pg_rewind`. */
  postgres: string;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function newestPostgres(): string | undefined {
  try {
    const versions = readdirSync(POSTGRES_FOLDER).toSorted((a, b) => Number(b) - Number(a));
    return versions.map(version => join(POSTGRES_FOLDER, version, 'bin')).find(bin => isProgram(join(bin, 'postgres')));
  } catch {
    return undefined;
  }
}

function findEngines(): Engines | undefined {
  const [etcd, patroni, postgres] = ['/usr/bin/etcd', '/usr/bin/patroni', newestPostgres()];
  return isProgram(etcd) && isProgram(patroni) && postgres !== undefined ? { etcd, patroni, postgres } : undefined;
}

/** The system's packages, installed when they are absent. Without them there is no lab, and it says so. */
export async function haveEngines(print: (line: string) => void): Promise<Engines> {
  const there = findEngines();
  if (there) return there;
  const list = PACKAGES.join(' ');
  if (process.getuid?.() !== 0) throw new Error(`etcd, Patroni or PostgreSQL is missing: sudo apt-get install ${list}`);
  print(`installing ${list} …`);
  try {
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...PACKAGES], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    throw new Error(`etcd, Patroni or PostgreSQL is missing and cannot be installed here (${list})`, { cause: error });
  }
  const installed = findEngines();
  if (!installed) throw new Error(`${list} were installed, but their programs are not where they should be`);
  return installed;
}

/** PostgreSQL refuses to run as root; its package made a user for it. */
export function databaseUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('postgres:'));
  const [, , uid, gid] = (line ?? '').split(':');
  if (!uid || !gid) throw new Error('there is no user postgres to run the database as');
  return { uid: Number(uid), gid: Number(gid) };
}

export interface Daemon {
  child: ChildProcess;
  /** The last lines it wrote. */
  log(): string;
}

const KEPT_CHARACTERS = 500_000;

/** A program in the background, as the database's user where there is one. */
export function startDaemon(file: string, args: string[], env: NodeJS.ProcessEnv, options: SpawnOptions = {}): Daemon {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      log = (log + String(chunk)).slice(-KEPT_CHARACTERS);
    });
  }
  child.on('error', error => {
    log += String(error);
  });
  return { child, log: () => log };
}

/** The processes whose parent is `parent`, and theirs. */
export function descendants(parent: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name stands in parentheses and may hold anything; behind it come the state and the parent.
      const after = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)!;
      const of = Number(after.split(' ')[1]);
      children.set(of, [...(children.get(of) ?? []), Number(entry)]);
    } catch {
      // It ended while we looked.
    }
  }
  const found: number[] = [];
  const look = (pid: number): void => {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      look(child);
    }
  };
  look(parent);
  return found;
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}
