import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAsShipped } from '../lab.ts';
import type { Result } from '../result.ts';
import { median } from '../statistics.ts';
import { residentMb } from '../watch-memory.ts';

const STARTS = 5;
/** Until what the start left behind is gone. */
const REST_MS = 20_000;

async function timeStart(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const program = await startAsShipped(dataDir);
  const tookMs = performance.now() - startedAt;
  await program.stop();
  return tookMs;
}

async function idleMemory(dataDir: string): Promise<number> {
  const program = await startAsShipped(dataDir);
  await pause(REST_MS);
  const resident = await residentMb(program.pid);
  await program.stop();
  return resident;
}

/** As `npm start` on a machine where it ran before: the embedded database starts with it. */
export async function measureStart(): Promise<Result[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinslot-bench-start-'));
  try {
    // The first one makes the database.
    await timeStart(dataDir);
    const starts: number[] = [];
    for (let turn = 0; turn < STARTS; turn++) starts.push(await timeStart(dataDir));
    return [
      {
        what: 'a later start, database included, to ready',
        measured: `${STARTS} starts`,
        value: median(starts),
        unit: 'ms',
        target: { atMost: 1_500 },
      },
      {
        what: 'resident memory when idle',
        measured: `${REST_MS / 1000} s after the start, without PostgreSQL`,
        value: await idleMemory(dataDir),
        unit: 'MB',
        target: { atMost: 100 },
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
