import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomToken } from '../../kit/seal.ts';
import { type Account, accountFor, isOpenToAll } from './account.ts';
import { EmbeddedError, folderProblem } from './embedded-error.ts';
import { program } from './runtime.ts';

const run = promisify(execFile);

export const ADMIN = 'postgres';

/** What is on disk for one server: the files of PostgreSQL, and beside them our password and its log. */
export interface Cluster {
  home: string;
  dir: string;
  logFile: string;
  password: string;
  account: Account | undefined;
}

const homeOf = (dataDir: string): string => join(dataDir, 'postgres-18');

/** An environment without the program's own secrets. Windows programs do not start without the inherited one. */
export const cleanEnvironment = (): NodeJS.ProcessEnv | undefined =>
  process.platform === 'win32' ? undefined : { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * How to start a program of PostgreSQL on a cluster: as `account`, standing in its folder. We enter the folder as root,
 * and on Linux the server then names it by its own working directory: so no folder above needs to be open to it,
 * and a clone in a root home of mode 700 works.
 */
export function launchOptions(dir: string, account: Account | undefined) {
  const owner = account && process.platform === 'linux' ? '/proc/self/cwd' : dir;
  return { dataArgument: owner, options: { cwd: dir, env: cleanEnvironment(), ...account } };
}

export async function findCluster(dataDir: string): Promise<Cluster | undefined> {
  const home = await realpath(homeOf(dataDir)).catch(() => undefined);
  if (!home) return undefined;
  const dir = join(home, 'cluster');
  try {
    const password = await readFile(join(home, 'password'), 'utf8');
    return { home, dir, logFile: join(home, 'postgres.log'), password, account: await accountFor(dir) };
  } catch (error) {
    throw folderProblem(dataDir, error);
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function initialize(staging: string, runtimeDir: string, account: Account | undefined, durable: boolean) {
  const dir = join(staging, 'cluster');
  const passwordFile = join(staging, 'password');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(staging, account ? 0o711 : 0o700);
  await writeFile(passwordFile, randomToken(24), { mode: 0o600 });
  if (account) for (const path of [dir, passwordFile]) await chown(path, account.uid >>> 0, account.gid >>> 0);

  const { dataArgument, options } = launchOptions(dir, account);
  const locale = ['--no-locale', '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${ADMIN}`, '--auth=scram-sha-256', '--pwfile=../password'];
  const safety = ['--data-checksums', '--no-instructions', ...(durable ? [] : ['--no-sync'])];
  try {
    await run(program(runtimeDir, 'initdb'), ['-D', dataArgument, ...locale, ...access, ...safety], options);
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new EmbeddedError(`PostgreSQL could not set up its files in ${staging}. ${output || String(error)}`, {
      cause: error,
    });
  }
}

/** Makes the cluster aside and moves it in place whole: a crash leaves none or all, and of two at once one wins. */
export async function createCluster(
  dataDir: string,
  runtimeDir: string,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  if (account && process.platform !== 'linux' && !(await isOpenToAll(dataDir))) {
    throw new EmbeddedError(
      `PostgreSQL does not run as root, and no other user can reach ${dataDir}. Start as an ordinary user, or set DATA_DIR to a folder under /usr/local/var.`,
    );
  }
  const home = homeOf(dataDir);
  const staging = `${home}.${randomToken(6)}`;
  try {
    await initialize(staging, runtimeDir, account, durable);
    await rename(staging, home);
    if (durable) await syncFolder(dataDir);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await findCluster(dataDir))) throw error;
  }
}
