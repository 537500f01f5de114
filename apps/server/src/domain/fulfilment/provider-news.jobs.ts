import type { JobHandlers } from '../../jobs/job-worker.ts';
import { PROVIDER_NEWS_JOB } from '../payment/provider/accept-callback.ts';
import type { FulfilmentDeps } from './fulfilment-deps.ts';
import { hearProvider } from './hear-provider.ts';

export const providerNewsJobs = (deps: FulfilmentDeps): JobHandlers => ({
  [PROVIDER_NEWS_JOB]: ({ environmentId, payload }) =>
    hearProvider(deps, { environmentId: environmentId!, paymentId: String(payload.paymentId) }),
});
