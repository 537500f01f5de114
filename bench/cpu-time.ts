import { readFile } from 'node:fs/promises';
import type pg from 'pg';

const MS_OF_TICK = 10;

export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_OF_TICK;
}

/** Processor time that the server and every other session of its PostgreSQL have used so far. Only where there is `/proc`. */
export async function cpuMs(server: { pid: number }, client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid()`,
  );
  const used = await Promise.all([server, ...rows].map(({ pid }) => cpuMsOf(pid)));
  return used.reduce((sum, ms) => sum + ms, 0);
}
