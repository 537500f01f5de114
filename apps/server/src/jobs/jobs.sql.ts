import { fragment, type Queryable, ROWS, type StatementRunner, sql, sqlForRows, type Tx } from '../db/statement.ts';
import { newId } from '../kit/ids.ts';

export interface NewJob {
  name: string;
  environmentId: string | null;
  payload: Record<string, unknown>;
  /** Seconds from now by the database's clock. */
  inSeconds?: number;
}

export interface Job {
  id: string;
  name: string;
  environmentId: string | null;
  payload: Record<string, unknown>;
  tries: number;
  claimId: string;
}

const insertJobs = sqlForRows<NewJob & { id: string }>('job_insert', {
  id: 'text',
  environmentId: 'text',
  name: 'text',
  payload: 'json',
  inSeconds: 'float8',
})`
  insert into jobs (id, environment_id, name, payload, run_at, created_at)
  select id, environment_id, name, payload, app_now() + make_interval(secs => coalesce(in_seconds, 0)), app_now()
  from ${ROWS} as t`;

/** Writes in the caller's transaction, so the job exists exactly when the change that caused it does. */
export const insertJob = (tx: Tx, job: NewJob): void => tx.writeRows(insertJobs, [{ ...job, id: newId('job') }]);

export const JOBS_DUE = fragment`exists (
    select 1 from jobs where run_at <= app_now() and (claimed_until is null or claimed_until <= app_now()))`;

/** Claims by a lease, not a lock: when a worker dies, `claimed_until` passes and another worker takes over. */
export const claimJobs = (db: Queryable, claimId: string, limit: number, leaseSeconds: number): Promise<Job[]> =>
  db.query(sql('job_claim')`
    update jobs set claimed_until = app_now() + make_interval(secs => ${leaseSeconds}), claim_id = ${claimId}, tries = tries + 1
    where id in (select id from jobs where run_at <= app_now() and (claimed_until is null or claimed_until <= app_now())
                 order by run_at limit ${limit} for update skip locked)
    returning id, name, environment_id as "environmentId", payload, tries, claim_id as "claimId"`);

export const updateJobLeases = (db: Queryable, jobs: Job[], leaseSeconds: number): Promise<void> =>
  db.execute(sql('job_renew')`
    update jobs set claimed_until = app_now() + make_interval(secs => ${leaseSeconds})
    from unnest(${jobs.map(job => job.id)}::text[], ${jobs.map(job => job.claimId)}::text[]) as mine (id, claim_id)
    where jobs.id = mine.id and jobs.claim_id = mine.claim_id`);

export const deleteJobs = (db: StatementRunner, ids: string[], claimIds: string[]): Promise<void> =>
  db.execute(sql('job_delete')`
    delete from jobs using unnest(${ids}::text[], ${claimIds}::text[]) as done (id, claim_id)
    where jobs.id = done.id and jobs.claim_id = done.claim_id`);

export const updateJobFailed = (db: Queryable, job: Job, error: string, delaySeconds: number): Promise<void> =>
  db.execute(sql('job_failed')`
    update jobs set run_at = app_now() + make_interval(secs => ${delaySeconds}), claimed_until = null, last_error = ${error}
    where id = ${job.id} and claim_id = ${job.claimId}`);
