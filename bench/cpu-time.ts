import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const MS_OF_TICK = 10;

/** The fields behind the name: the parent is the second, processor time the 12th to 15th, the last two of children that ended. */
async function statOf(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat
    .slice(stat.lastIndexOf(') ') + 2)
    .split(' ')
    .map(Number);
}

export async function cpuMsOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) * MS_OF_TICK;
}

/** Of all processes of the PostgreSQL that one of its sessions belongs to, also of those that ended. */
export async function postgresCpuMs(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [, postmaster] = await statOf(rows[0]!.pid);
  const pids = (await readdir('/proc')).map(Number).filter(pid => pid > 0);
  const stats = await Promise.all(pids.map(async pid => ({ pid, fields: await statOf(pid) })));
  const ticks = stats.map(({ pid, fields }) => {
    if (pid === postmaster) return fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return fields[1] === postmaster ? fields[11]! + fields[12]! : 0;
  });
  return ticks.reduce((sum, each) => sum + each, 0) * MS_OF_TICK;
}

/** Processor time that the server and every other session of its PostgreSQL have used so far. Only where there is `/proc`. */
export async function cpuMs(server: { pid: number }, client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid()`,
  );
  const used = await Promise.all([server, ...rows].map(({ pid }) => cpuMsOf(pid)));
  return used.reduce((sum, ms) => sum + ms, 0);
}
