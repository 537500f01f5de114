import type { Job } from '../../jobs/jobs.sql.ts';
import type { PaymentShop } from './payment-shop.ts';
import { FORGET_CUSTOMER_JOB, FORGET_METHOD_JOB, forgetCustomer, forgetMethod } from './saved-methods/forget-method.ts';
import { SAVE_METHOD_JOB, saveMethod } from './saved-methods/save-method.ts';

export const paymentJobs = (shop: PaymentShop) => ({
  [SAVE_METHOD_JOB]: (job: Job): Promise<void> => saveMethod(shop, job),
  [FORGET_METHOD_JOB]: (job: Job): Promise<void> => forgetMethod(shop, job),
  [FORGET_CUSTOMER_JOB]: (job: Job): Promise<void> => forgetCustomer(shop, job),
});
