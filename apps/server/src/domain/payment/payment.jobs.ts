import type { Job } from '../../jobs/jobs.sql.ts';
import { KEEP_METHOD_JOB, type KeepMethodDeps, keepMethod } from './keep-method.ts';

export const paymentJobs = (deps: KeepMethodDeps) => ({
  [KEEP_METHOD_JOB]: (job: Job): Promise<void> => keepMethod(deps, job),
});
