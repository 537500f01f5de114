import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findCluster } from '../../../apps/server/src/db/embedded/cluster.ts';
import { type Embedded, startEmbedded } from '../../../apps/server/src/db/embedded/start-embedded.ts';
import { migrate } from '../../../apps/server/src/db/migrate.ts';

const SETTINGS = { fsync: 'off', wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };

export interface Pair {
  main: Embedded;
  /** Follows `main` by streaming replication. */
  standby: Embedded;
  /** As the administrator of either. */
  run(server: Embedded, text: string): Promise<void>;
  close(): Promise<void>;
}

const adminOf = (url: string): string => {
  const admin = new URL(url);
  admin.username = 'postgres';
  return admin.href;
};

async function run(server: Embedded, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminOf(server.url) });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** PostgreSQL serves no files of another account. */
async function giveTo(folder: string, like: string): Promise<void> {
  const { uid, gid } = await stat(like);
  const names = await readdir(folder, { recursive: true });
  if (process.getuid?.() === 0) {
    for (const path of [folder, ...names.map(name => join(folder, name))]) await chown(path, uid, gid);
  }
  await chmod(folder, 0o700);
}

/** The files of a running server, copied as its own manual says. */
async function copyFiles(main: Embedded, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminOf(main.url) });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    const isLeftOut = (path: string): boolean =>
      /postmaster\.(?:pid|opts)$|\.s\.PGSQL|pg_wal\/.*[0-9A-F]{24}/.test(path);
    await cp(from, to, { recursive: true, filter: path => !isLeftOut(path) });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const { dir, password } = (await findCluster(from.replace(/\/postgres-18$/, '')))!;
    const target = join(to, 'cluster');
    const conninfo = `host=${dir} user=postgres password=${password}`;
    await writeFile(join(target, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(target, 'standby.signal'), '');
    await writeFile(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    await giveTo(target, dir);
  } finally {
    await client.end();
  }
}

/** A real server with the schema, and a real replica of it. */
export async function startPair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-pair-'));
  // The standby enters it by its path, with the account of the servers.
  await chmod(folder, 0o711);
  const log = (): void => {};
  const main = await startEmbedded({ dataDir: join(folder, 'main'), log, settings: SETTINGS });
  await migrate(main.url);
  await copyFiles(main, join(folder, 'main/postgres-18'), join(folder, 'standby/postgres-18'));
  const standby = await startEmbedded({ dataDir: join(folder, 'standby'), log, settings: SETTINGS });
  return {
    main,
    standby,
    run,
    async close() {
      await standby.stop();
      await main.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
