import { type AdviceKey, advice } from '@coinslot/texts/advice';
import { clockCheck, failed, fine, unknown, warning } from '../../base/checks.ts';
import { ProviderFault } from '../../base/fault.ts';
import type { AccountProblem } from '../../base/problems.ts';
import type { AskedAccount, Check, Inspection, OpenedAccount, ProviderKeys } from '../../base/provider.ts';
import type { PaypalClient } from '../wire/paypal-client.ts';

function problemIn(error: unknown): AccountProblem {
  if (error instanceof ProviderFault) return error.asAccountProblem();
  throw error;
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
    if (error instanceof ProviderFault) return null;
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
      if (problemIn(error) !== 'provider_key_invalid') throw error;
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
    return { problem: problemIn(error) };
  }
}

const URI = 'https://uri.paypal.com/services';

interface Needed {
  what: string;
  scopes: readonly string[];
  /** Without it no payment or refund goes through. */
  isVital: boolean;
  fix: Extract<AdviceKey, `paypal.${string}`>;
}

/** What the keys must be allowed, and what is missed without it. PayPal tells an app's permissions with each token. */
const NEEDED: readonly Needed[] = [
  {
    what: 'payments',
    scopes: [
      `${URI}/payments/payment/authcapture`,
      `${URI}/payments/realtimepayment`,
      'https://api.paypal.com/v1/payments/.*',
    ],
    isVital: true,
    fix: 'paypal.payments',
  },
  {
    what: 'refunds',
    scopes: [`${URI}/payments/refund`, 'https://api.paypal.com/v1/payments/.*'],
    isVital: true,
    fix: 'paypal.refunds',
  },
  {
    what: 'transactions',
    scopes: [`${URI}/reporting/search/read`],
    isVital: false,
    fix: 'paypal.transactions',
  },
  {
    what: 'disputes',
    scopes: [`${URI}/disputes/read-seller`, `${URI}/disputes/read`],
    isVital: false,
    fix: 'paypal.disputes',
  },
  {
    what: 'evidence',
    scopes: [`${URI}/disputes/update-seller`, `${URI}/disputes/update`],
    isVital: false,
    fix: 'paypal.evidence',
  },
  {
    what: 'saved methods',
    scopes: [`${URI}/vault/payment-tokens/readwrite`],
    isVital: false,
    fix: 'paypal.saved_methods',
  },
];

function permissionChecks(scope: string): Check[] {
  const granted = new Set(scope.split(' '));
  return NEEDED.map(({ what, scopes, isVital, fix }) => {
    if (scopes.some(one => granted.has(one))) return fine('permissions', what);
    return isVital ? failed('permissions', advice.each(fix), what) : warning('permissions', advice.each(fix), what);
  });
}

/** PayPal tells an app neither its country nor what an account may do beyond its permissions. Versions are in its paths. */
const asFarAsTold = (permissions: Check[]): Check[] => {
  const blocked = permissions.find(({ about, state }) => about === 'payments' && state === 'failed');
  return [
    blocked?.advice ? failed('methods', blocked.advice, 'PayPal') : fine('methods', 'PayPal'),
    unknown('country'),
    fine('domain'),
    fine('api_version', 'v2'),
  ];
};

export const inspectAccount =
  (client: PaypalClient) =>
  async (account: OpenedAccount, { methods, nowMs }: Inspection): Promise<Check[]> => {
    if (!methods.includes('paypal')) return [];
    try {
      const { scope = '', answeredOn } = await client.askToken(account);
      const permissions = permissionChecks(scope);
      return [fine('keys'), ...permissions, ...asFarAsTold(permissions), clockCheck(answeredOn, nowMs)];
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      return [unknown('permissions', null, advice.each('paypal.no_answer'))];
    }
  };
