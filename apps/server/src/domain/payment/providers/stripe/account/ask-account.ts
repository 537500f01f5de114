import type Stripe from 'stripe';
import { AppError } from '../../../../../kit/app-error.ts';
import type { AccountProblem } from '../../base/problems.ts';
import type { AskedAccount } from '../../base/provider.ts';
import { type StripeClients, TIMEOUTS_MS } from '../stripe-client.ts';
import { faultOf } from '../stripe-context.ts';
import { accountProblemOf } from '../stripe-problem.ts';

/** Stripe's words may quote the key, so only their meaning goes on. */
export function asAccountProblem(error: unknown): AccountProblem {
  const fault = faultOf(error);
  const problem = accountProblemOf(fault);
  if (problem) return problem;
  throw new AppError('provider_unreachable', {
    detail: `Stripe ${fault.statusCode === undefined ? 'cannot be reached' : `answered with ${fault.statusCode}`}. Nothing was changed.`,
  });
}

const nameOf = ({ business_profile: profile, settings, email }: Stripe.Account): string | null =>
  profile?.name ?? settings?.dashboard.display_name ?? email ?? null;

/** Whose keys these are, and whether the account may take payments. Moves nothing. */
export async function askAccount(clients: StripeClients, secretKey: string): Promise<AskedAccount> {
  try {
    const client = await clients(secretKey);
    const account = await client.accounts.retrieveCurrent({}, { timeout: TIMEOUTS_MS.ask });
    return {
      accountId: account.id,
      seen: {
        country: account.country ?? null,
        defaultCurrency: account.default_currency?.toUpperCase() ?? null,
        displayName: nameOf(account),
        chargesEnabled: account.charges_enabled,
        problemCode: account.charges_enabled ? null : 'provider_account_not_active',
      },
    };
  } catch (error) {
    return { problem: asAccountProblem(error) };
  }
}
