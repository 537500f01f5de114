import type { AccountProblem } from './stripe-problem.ts';

/** Keys of one account at Stripe, opened. They live in memory only. */
export interface StripeAccount {
  accountId: string;
  secretKey: string;
  publishableKey: string;
  callbackSecret: string | null;
  isTest: boolean;
}

/** For keys that came with the program's settings: Stripe's own name of the account is not asked for. */
export const SETTINGS_ACCOUNT = 'settings';

export interface StripeAccounts {
  /** Who takes the next payment of a live environment; null: nobody is connected, or the environment is not live. */
  current(environmentId: string): Promise<StripeAccount | null>;
  /** Who took an earlier one; null when its keys are erased. */
  byId(environmentId: string, accountId: string): Promise<StripeAccount | null>;
  /** So that the studio's people see what the provider said about their account. */
  report(environmentId: string, accountId: string, problem: AccountProblem): Promise<void>;
}
