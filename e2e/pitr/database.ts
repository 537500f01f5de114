import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { databaseUser, newestPostgres } from '../failover/machine.ts';
import { freePort } from '../free-port.ts';
import type { GuidePage } from '../guide-page.ts';

const run = promisify(execFile);
const LONGEST_MS = 300_000;

export interface GuidedDatabase {
  url: string;
  /** Runs a command of the guide; answers with what it printed. */
  type(command: string): Promise<string>;
  close(): Promise<void>;
}

/** A PostgreSQL and a repository as the guide describes them, with every path of the guide in a folder of their own. */
export async function startGuidedDatabase(guide: GuidePage): Promise<GuidedDatabase> {
  const bin = newestPostgres();
  if (!bin) throw new Error('PostgreSQL is missing: sudo apt-get install postgresql');
  const root = await mkdtemp(join(tmpdir(), 'coinslot-pitr-'));
  const owner = databaseUser();
  const port = await freePort();
  const data = join(root, 'var/lib/postgresql/15/main');
  const config = join(root, 'etc/pgbackrest.conf');
  /** What stands differently here than on a reader's machine. */
  const moved = (text: string): string =>
    text
      .replaceAll(/\/(?:var\/lib|etc)\/(?:postgresql|pgbackrest)/g, path => root + path)
      .replaceAll('[global]', `[global]\nlog-path=${root}\nlock-path=${root}/lock\nspool-path=${root}/spool`)
      .replaceAll('pg1-port=5432', `pg1-port=${port}\npg1-socket-path=${root}\npg1-user=postgres`)
      .replaceAll('pgbackrest --stanza', `pgbackrest --config=${config} --stanza`)
      .replaceAll(/pg_ctlcluster 15 main (\w+)/g, `${bin}/pg_ctl -w -D ${data} -l ${root}/postgres.log -m fast $1`)
      .replaceAll('-m fast start', 'start')
      .replaceAll(/^psql /g, `${bin}/psql -h ${root} -p ${port} -U postgres `)
      .replaceAll('sudo -u postgres ', '');
  const env = { PATH: process.env.PATH, LC_ALL: 'C', HOME: root };
  const shell = async (command: string): Promise<string> =>
    (await run('sh', ['-c', command], { cwd: root, env, timeout: LONGEST_MS, ...owner })).stdout;
  const type = (command: string): Promise<string> => shell(moved(command));
  const close = async (): Promise<void> => {
    await type('pg_ctlcluster 15 main stop').catch(() => {});
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  const place = (path: string): void => {
    if (owner) chownSync(path, owner.uid, owner.gid);
  };
  const folder = (path: string): void => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (let at = path; at.length >= root.length; at = dirname(at)) place(at);
  };

  for (const path of [data, join(root, 'var/lib/pgbackrest'), join(root, 'lock')]) folder(path);
  for (const [path, content] of guide.files) {
    if (path.startsWith('/etc/cron')) continue;
    folder(dirname(root + path));
    writeFileSync(root + path, moved(content), { mode: 0o600 });
    place(root + path);
  }
  await shell(`${bin}/initdb --auth=trust --username=postgres --locale=C --encoding=UTF8 ${data}`);
  const settings = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${root}'\nmax_connections = 120`;
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `${settings}\ninclude_dir '${root}/etc/postgresql/15/main/conf.d'\n`,
  );
  place(join(data, 'postgresql.auto.conf'));
  await type('pg_ctlcluster 15 main start');
  await shell(`${bin}/createdb -h ${root} -p ${port} -U postgres coinslot`);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/coinslot`,
    type,
    close,
  };
}
