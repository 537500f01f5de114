import { type AdviceKey, advice } from '@coinslot/texts/advice';
import { clockCheck, failed, fine, unknown, warning } from '../../base/checks.ts';
import { ProviderFault } from '../../base/fault.ts';
import type { RefusedAccount } from '../../base/problems.ts';
import type { AskedAccount, Check, Inspection, OpenedAccount, ProviderKeys } from '../../base/provider.ts';
import type { PaypalClient } from '../wire/paypal-client.ts';

function refusalIn(error: unknown): RefusedAccount {
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
      if (refusalIn(error).problem !== 'provider_key_invalid') throw error;
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
    return refusalIn(error);
  }
}

const SERVICES = 'https://uri.paypal.com/services';
const ALL_PAYMENTS = 'https://api.paypal.com/v1/payments/.*';
const PAYMENTS = `${SERVICES}/payments`;

type Needed = readonly [what: string, fix: Extract<AdviceKey, `paypal.${string}`>, scopes: readonly string[]];

/** Without these no payment or refund goes through. PayPal lists an app's permissions with each token. */
const VITAL: readonly Needed[] = [
  ['payments', 'paypal.payments', [`${PAYMENTS}/payment/authcapture`, `${PAYMENTS}/realtimepayment`, ALL_PAYMENTS]],
  ['refunds', 'paypal.refunds', [`${PAYMENTS}/refund`, ALL_PAYMENTS]],
];

/** Without these something is missed. */
const USEFUL: readonly Needed[] = [
  ['transactions', 'paypal.transactions', [`${SERVICES}/reporting/search/read`]],
  ['disputes', 'paypal.disputes', [`${SERVICES}/disputes/read-seller`, `${SERVICES}/disputes/read`]],
  ['evidence', 'paypal.evidence', [`${SERVICES}/disputes/update-seller`, `${SERVICES}/disputes/update`]],
  ['saved methods', 'paypal.saved_methods', [`${SERVICES}/vault/payment-tokens/readwrite`]],
];

function permissionChecks(scope: string): Check[] {
  const granted = new Set(scope.split(' '));
  const judge =
    (lacking: typeof failed) =>
    ([what, fix, scopes]: Needed): Check =>
      scopes.some(one => granted.has(one)) ? fine('permissions', what) : lacking('permissions', advice.each(fix), what);
  return [...VITAL.map(judge(failed)), ...USEFUL.map(judge(warning))];
}

/** PayPal gives an app neither its country nor what an account may do beyond its permissions. Versions are in its paths. */
const otherChecks = (permissions: Check[]): Check[] => {
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
      return [fine('keys'), ...permissions, ...otherChecks(permissions), clockCheck(answeredOn, nowMs)];
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      return [unknown('permissions', null, advice.each('paypal.no_answer'))];
    }
  };
