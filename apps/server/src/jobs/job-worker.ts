import type { Db } from '../db/db.ts';
import { backoffSeconds } from '../kit/backoff.ts';
import { newId } from '../kit/ids.ts';
import { claimJobs, deleteJobs, type Job, updateJobFailed } from './jobs.sql.ts';
import { createLoop } from './loop.ts';

/** Job name → what to do. Throwing means: again later. */
export type JobHandlers = Record<string, (job: Job) => Promise<void>>;

const LEASE_SECONDS = 60;

export interface JobWorkerOptions {
  db: Db;
  handlers: JobHandlers;
  random: () => number;
  onError: (error: unknown, source: string) => void;
}

export function createJobWorker({ db, handlers, random, onError }: JobWorkerOptions) {
  const finish = db.coalesce<Job, void>({
    runMany: async (tx, jobs) => {
      await deleteJobs(
        tx,
        jobs.map(job => job.id),
        jobs.map(job => job.claimId),
      );
      return jobs.map(() => undefined);
    },
  });

  async function run(job: Job): Promise<void> {
    try {
      const handler = handlers[job.name];
      if (!handler) throw new Error(`no handler for job ${job.name}: a newer version may have enqueued it`);
      await handler(job);
      await finish(job);
    } catch (error) {
      onError(error, `job ${job.name}`);
      const reason = error instanceof Error ? error.message : String(error);
      await updateJobFailed(db, job, reason.slice(0, 1_000), backoffSeconds(job.tries, random()));
    }
  }

  return createLoop<Job>({
    name: 'jobs',
    claim: room => claimJobs(db, newId('job'), room, LEASE_SECONDS),
    run,
    maxInFlight: 32,
    onError,
  });
}
