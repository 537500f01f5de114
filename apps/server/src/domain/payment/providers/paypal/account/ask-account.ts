import { AppError } from '../../../../../kit/app-error.ts';
import type { AccountProblem } from '../../base/problems.ts';
import type { AskedAccount, ProviderKeys } from '../../base/provider.ts';
import { accountProblemOf } from '../paypal-problem.ts';
import { type PaypalClient, PaypalFault } from '../wire/paypal-client.ts';

/** PayPal's words may quote the keys, so only their meaning goes on. */
export function asAccountProblem(error: unknown): AccountProblem {
  if (!(error instanceof PaypalFault)) throw error;
  const problem = accountProblemOf(error);
  if (problem) return problem;
  throw new AppError('provider_unreachable', {
    detail: `PayPal ${error.statusCode === undefined ? 'cannot be reached' : `answered with ${error.statusCode}`}. Nothing was changed.`,
  });
}

interface Balances {
  balances?: { currency?: string; primary?: boolean }[];
}

/** The account's own currency, where the keys may look; it decides nothing. */
async function currencyOf(client: PaypalClient, account: ProviderKeys & { isTest: boolean }): Promise<string | null> {
  try {
    const { balances = [] } = await client.call<Balances>(account, { method: 'GET', path: '/v1/reporting/balances' });
    return balances.find(({ primary }) => primary)?.currency ?? null;
  } catch (error) {
    if (error instanceof PaypalFault) return null;
    throw error;
  }
}

/** Which of PayPal's two worlds takes the keys: nothing else tells them apart. Null: neither. */
async function findMode(client: PaypalClient, keys: ProviderKeys): Promise<{ isTest: boolean } | null> {
  const worlds = client.baseOf(true) === client.baseOf(false) ? [client.isTestBase] : [false, true];
  for (const isTest of worlds) {
    try {
      await client.askToken({ ...keys, isTest });
      return { isTest };
    } catch (error) {
      if (asAccountProblem(error) !== 'provider_key_invalid') throw error;
    }
  }
  return null;
}

/** The app's client ID names the account: PayPal tells an app no other name of it. Moves nothing. */
export async function askAccount(client: PaypalClient, keys: ProviderKeys): Promise<AskedAccount> {
  try {
    const mode = await findMode(client, keys);
    if (!mode) return { problem: 'provider_key_invalid' };
    return {
      accountId: keys.publishableKey,
      isTest: mode.isTest,
      seen: {
        country: null,
        defaultCurrency: await currencyOf(client, { ...keys, ...mode }),
        displayName: null,
        chargesEnabled: true,
        problemCode: null,
      },
    };
  } catch (error) {
    return { problem: asAccountProblem(error) };
  }
}
