import type { Job } from '../../jobs/jobs.sql.ts';
import {
  FORGET_CUSTOMER_JOB,
  FORGET_METHOD_JOB,
  forgetCustomer,
  forgetMethod,
  type SaveMethodDeps,
} from './saved-methods/forget-method.ts';
import { SAVE_METHOD_JOB, saveMethod } from './saved-methods/save-method.ts';

export const paymentJobs = (deps: SaveMethodDeps) => ({
  [SAVE_METHOD_JOB]: (job: Job): Promise<void> => saveMethod(deps, job),
  [FORGET_METHOD_JOB]: (job: Job): Promise<void> => forgetMethod(deps, job),
  [FORGET_CUSTOMER_JOB]: (job: Job): Promise<void> => forgetCustomer(deps, job),
});
