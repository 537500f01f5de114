import type { JobHandlers } from '../../jobs/job-worker.ts';
import { PROVIDER_NEWS_JOB } from '../payment/connections/accept-callback.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { syncPayment } from './sync-payment.ts';

export const providerNewsJobs = (deps: FulfillmentDeps): JobHandlers => ({
  [PROVIDER_NEWS_JOB]: ({ environmentId, payload }) =>
    syncPayment(deps, { environmentId: environmentId!, paymentId: String(payload.paymentId) }),
});
