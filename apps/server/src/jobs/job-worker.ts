import type { Db } from '../db/db.ts';
import { backoffSeconds } from '../kit/clock.ts';
import { newId } from '../kit/ids.ts';
import { claimJobs, deleteJobs, type Job, updateJobFailed, updateJobLeases } from './jobs.sql.ts';
import { createLoop, type Loop } from './loop.ts';

/** Job name → what to do. A job whose handler throws is tried again later. */
export type JobHandlers = Record<string, (job: Job) => Promise<void>>;

const LEASE_SECONDS = 60;
/** Two renewals may be lost before another worker takes the job. */
const BEATS_IN_LEASE = 3;

export interface JobWorkerOptions {
  db: Db;
  handlers: JobHandlers;
  random: () => number;
  onError: (error: unknown, source: string) => void;
  /** Tests shorten it. */
  leaseSeconds?: number;
}

/** Renews the leases of running jobs, so that no other worker takes a job that only takes long. */
function createHeartbeat(
  beat: (running: Job[]) => Promise<void>,
  everyMs: number,
  onError: JobWorkerOptions['onError'],
) {
  const running = new Set<Job>();
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => void beat([...running]).catch((error: unknown) => onError(error, 'job leases'));
  return {
    begin(job: Job): void {
      running.add(job);
      timer ??= setInterval(tick, everyMs);
    },
    end(job: Job): void {
      running.delete(job);
      if (running.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

export function createJobWorker(options: JobWorkerOptions): Loop {
  const { db, handlers, random, onError, leaseSeconds = LEASE_SECONDS } = options;
  const heartbeat = createHeartbeat(
    jobs => updateJobLeases(db, jobs, leaseSeconds),
    (leaseSeconds * 1000) / BEATS_IN_LEASE,
    onError,
  );
  const finish = db.coalesce<Job, void>({
    runMany: async (tx, jobs) => {
      await deleteJobs(
        tx.last,
        jobs.map(job => job.id),
        jobs.map(job => job.claimId),
      );
      return jobs.map(() => undefined);
    },
  });

  async function run(job: Job): Promise<void> {
    heartbeat.begin(job);
    try {
      const handler = handlers[job.name];
      if (!handler) throw new Error(`no handler for job ${job.name}: a newer version may have enqueued it`);
      await handler(job);
      await finish(job);
    } catch (error) {
      onError(error, `job ${job.name}`);
      const reason = error instanceof Error ? error.message : String(error);
      await updateJobFailed(db, job, reason.slice(0, 1_000), backoffSeconds(job.tries, random()));
    } finally {
      heartbeat.end(job);
    }
  }

  return createLoop<Job>({
    name: 'jobs',
    claim: capacity => claimJobs(db, newId('job'), capacity, leaseSeconds),
    run,
    maxInFlight: 32,
    onError,
  });
}
