import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationError } from './migration-error.ts';

const LOCK_ID = 4242_0001;
/** Another process may build an index over a large table meanwhile; longer than this is not a migration that goes on. */
const LIMIT_MS = 600_000;
const LOOK_MS = 250;
/** An operator who watches a start learns soon what it waits for. */
const SAY_AFTER_MS = 2_000;

export interface LockWait {
  log?: ((message: string) => void) | undefined;
  limitMs?: number | undefined;
}

interface Holder {
  pid: number;
  name: string;
  address: string | null;
  since: Date;
}

/** Null when the holder let go in this moment. */
async function findHolder(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<Holder>(
    `select a.pid, a.application_name as name, a.client_addr::text as address, a.backend_start as since
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and l.objsubid = 1
       and l.database = (select oid from pg_database where datname = current_database())`,
    [LOCK_ID],
  );
  const [holder] = rows;
  if (!holder) return null;
  const { pid, name, address, since } = holder;
  return `session ${pid} ("${name}"${address ? ` from ${address}` : ''}, connected since ${since.toISOString()})`;
}

/** One migrator at a time. The lock goes with the session, so a process that dies lets go of it. */
export async function takeMigrationLock(client: pg.Client, { log, limitMs = LIMIT_MS }: LockWait): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_ID]);
    if (rows[0]!.taken) return;
    const holder = waitedMs === SAY_AFTER_MS || waitedMs >= limitMs ? await findHolder(client) : null;
    if (holder && waitedMs >= limitMs) {
      const pid = /\d+/.exec(holder)?.[0];
      throw new MigrationError(
        `The schema was not changed: ${holder} has held the migration lock for all of the ${limitMs / 1000} s that this start waited. If no migration runs there, end it with "select pg_terminate_backend(${pid})" and start again.`,
      );
    }
    if (holder) log?.(`waiting up to ${limitMs / 1000} s for another migration: ${holder} holds the lock`);
    await pause(LOOK_MS);
  }
}
