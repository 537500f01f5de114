import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';

export interface Account {
  uid: number;
  gid: number;
}

const UNPRIVILEGED = 'nobody';

async function lookUp(name: string): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = passwd
    .split('\n')
    .map(line => line.split(':'))
    .find(parts => parts[0] === name);
  if (!fields) {
    throw new EmbeddedError(
      `PostgreSQL refuses to run as root, and the user "${name}" is not in /etc/passwd. Start as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** Who PostgreSQL runs as: undefined is ourselves. It refuses root, and a user without an entry in /etc/passwd. */
export async function accountFor(clusterDir?: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (clusterDir === undefined) return lookUp(UNPRIVILEGED);
  const { uid, gid } = await stat(clusterDir);
  return { uid, gid };
}

/** Whether a user who owns nothing on the way can get to this folder. */
export async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isOpenToAll(parent);
}
