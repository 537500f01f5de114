import { clockCheck, failed, fine, unknown, warning } from '../../base/checks.ts';
import { ProviderFault } from '../../base/fault.ts';
import type { AccountProblem, Advice } from '../../base/problems.ts';
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
  advice: Advice;
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
    advice: {
      en: 'The app may not take payments. Switch on “Accept payments” for it at PayPal: Apps & Credentials → the app → Features.',
      de: 'Die App darf keine Zahlungen annehmen. Schalten Sie bei PayPal „Accept payments“ für sie ein: Apps & Credentials → die App → Features.',
    },
  },
  {
    what: 'refunds',
    scopes: [`${URI}/payments/refund`, 'https://api.paypal.com/v1/payments/.*'],
    isVital: true,
    advice: {
      en: 'The app may not refund. Switch on “Accept payments” with refunds for it at PayPal.',
      de: 'Die App darf nicht erstatten. Schalten Sie bei PayPal „Accept payments“ mit Erstattungen für sie ein.',
    },
  },
  {
    what: 'transactions',
    scopes: [`${URI}/reporting/search/read`],
    isVital: false,
    advice: {
      en: 'The app may not list transactions, so days cannot be compared. Switch on “Transaction search” for it at PayPal.',
      de: 'Die App darf keine Transaktionen auflisten, deshalb werden Tage nicht abgeglichen. Schalten Sie bei PayPal „Transaction search“ für sie ein.',
    },
  },
  {
    what: 'disputes',
    scopes: [`${URI}/disputes/read-seller`, `${URI}/disputes/read`],
    isVital: false,
    advice: {
      en: 'The app may not read disputes, so each stays unclear. Switch on “Customer disputes” for it at PayPal.',
      de: 'Die App darf keine Konflikte lesen, deshalb bleibt jeder unklar. Schalten Sie bei PayPal „Customer disputes“ für sie ein.',
    },
  },
  {
    what: 'evidence',
    scopes: [`${URI}/disputes/update-seller`, `${URI}/disputes/update`],
    isVital: false,
    advice: {
      en: 'The app may not answer disputes, so evidence must be sent at PayPal. Switch on “Customer disputes” for it there.',
      de: 'Die App darf auf Konflikte nicht antworten, deshalb müssen Belege bei PayPal eingereicht werden. Schalten Sie dort „Customer disputes“ für sie ein.',
    },
  },
  {
    what: 'saved methods',
    scopes: [`${URI}/vault/payment-tokens/readwrite`],
    isVital: false,
    advice: {
      en: 'The app may not save PayPal for the next order. Switch on “Save payment methods” for it at PayPal; players can pay without it.',
      de: 'Die App darf PayPal nicht für die nächste Bestellung speichern. Schalten Sie bei PayPal „Save payment methods“ für sie ein; Spieler können auch ohne zahlen.',
    },
  },
];

function permissionChecks(scope: string): Check[] {
  const granted = new Set(scope.split(' '));
  return NEEDED.map(({ what, scopes, isVital, advice }) => {
    if (scopes.some(one => granted.has(one))) return fine('permissions', what);
    return isVital ? failed('permissions', advice, what) : warning('permissions', advice, what);
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
      const advice = {
        en: 'PayPal did not answer about the app’s permissions. Test again later.',
        de: 'PayPal hat auf die Frage nach den Berechtigungen der App nicht geantwortet. Testen Sie später noch einmal.',
      };
      return [unknown('permissions', null, advice)];
    }
  };
