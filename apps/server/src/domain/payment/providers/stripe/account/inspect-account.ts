import type Stripe from 'stripe';
import { findMethod } from '../../../methods/method-table.ts';
import { clockCheck, failed, fine, unknown, warning } from '../../base/checks.ts';
import type { Advice } from '../../base/problems.ts';
import type { AskedAccount, Check, Inspection, OpenedAccount } from '../../base/provider.ts';
import { ASK, type StripeClient, type StripeClients } from '../stripe-client.ts';
import { stripeFaultOf } from '../stripe-fault.ts';
import { typeOf } from './stripe-abilities.ts';

const nameOf = ({ business_profile: profile, settings, email }: Stripe.Account): string | null =>
  profile?.name ?? settings?.dashboard.display_name ?? email ?? null;

/** Whose keys these are, and whether the account may take payments. Moves nothing. */
export async function askAccount(clients: StripeClients, secretKey: string): Promise<AskedAccount> {
  try {
    const account = await (await clients(secretKey)).accounts.retrieveCurrent({}, ASK);
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
    const fault = stripeFaultOf(error);
    if (!fault) throw error;
    return { problem: fault.asAccountProblem() };
  }
}

const capabilityOf = (type: string): string =>
  type === 'us_bank_account' ? 'us_bank_account_ach_payments' : `${type}_payments`;

/** PayPal through Stripe is for businesses here only. */
const PAYPAL_COUNTRIES =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');

/** Stripe names only what was asked for once; what it does not name is left to the form, which leaves it out. */
function methodCheck(status: string | undefined, id: string): Check {
  const { name } = findMethod(id)!;
  if (status === undefined) return unknown('methods', name);
  if (status === 'active') return fine('methods', name);
  const advice = {
    en: `${name} is ${status} at Stripe, so players do not see it. Finish it there: Settings → Payment methods.`,
    de: `${name} ist bei Stripe „${status}“, deshalb sehen Spieler es nicht. Schließen Sie es dort ab: Einstellungen → Zahlungsmethoden.`,
  };
  return id === 'card' ? failed('methods', advice, name) : warning('methods', advice, name);
}

function countryCheck(country: string | null, methods: readonly string[]): Check {
  if (country === null) return unknown('country');
  if (!methods.includes('paypal') || PAYPAL_COUNTRIES.includes(country)) return fine('country', country);
  const advice = {
    en: 'PayPal through Stripe is for businesses in the EEA, the UK and Switzerland: players do not see it here. Connect PayPal itself to offer it.',
    de: 'PayPal über Stripe gibt es nur für Unternehmen im EWR, im Vereinigten Königreich und in der Schweiz: Spieler sehen es hier nicht. Verbinden Sie PayPal selbst, um es anzubieten.',
  };
  return warning('country', advice, country);
}

/** Every call names the version that this program was written for; Stripe answers in the version that it took. */
function versionCheck(client: StripeClient, answered: string | undefined): Check {
  const asked = client.getApiField('version');
  if (!answered || answered === asked) return fine('api_version', asked);
  const advice = {
    en: `Stripe answers in its version ${answered}, and this program was written for ${asked}. Update Coinslot.`,
    de: `Stripe antwortet in Version ${answered}, und dieses Programm wurde für ${asked} geschrieben. Aktualisieren Sie Coinslot.`,
  };
  return failed('api_version', advice, answered);
}

async function accountChecks(
  clients: StripeClients,
  { secretKey }: OpenedAccount,
  { methods, nowMs }: Inspection,
): Promise<Check[]> {
  const client = await clients(secretKey);
  const account = await client.accounts.retrieveCurrent({}, ASK);
  const known = (account.capabilities ?? {}) as Readonly<Record<string, string | undefined>>;
  const { headers, apiVersion } = account.lastResponse;
  return [
    ...methods.map(id => methodCheck(known[capabilityOf(typeOf(id))], id)),
    countryCheck(account.country ?? null, methods),
    versionCheck(client, apiVersion),
    clockCheck(headers.date, nowMs),
  ];
}

/** A payment that asks no player for money, seen with the key that browsers get: only its own account's key sees it. */
async function keyCheck(clients: StripeClients, { secretKey, publishableKey }: OpenedAccount): Promise<Check[]> {
  const client = await clients(secretKey);
  const idle = await client.paymentIntents.create(
    {
      amount: 1_000,
      currency: 'usd',
      description: 'Connection test. It takes no money.',
      // So that the comparison of the day does not take it for another program's.
      metadata: { given_up: 'connection_test' },
    },
    ASK,
  );
  try {
    const browser = await clients(publishableKey);
    await browser.paymentIntents.retrieve(idle.id, { client_secret: idle.client_secret ?? '' }, ASK);
    return [fine('keys')];
  } catch (error) {
    const { statusCode = 500 } = stripeFaultOf(error) ?? {};
    if (statusCode >= 500) throw error;
    const advice = {
      en: 'The publishable key belongs to another account than the secret key. Copy both from the same page at Stripe.',
      de: 'Der veröffentlichbare Schlüssel gehört zu einem anderen Konto als der geheime. Kopieren Sie beide von derselben Seite bei Stripe.',
    };
    return [failed('keys', advice)];
  } finally {
    await client.paymentIntents.cancel(idle.id, {}, ASK).catch(() => {});
  }
}

const WALLETS = { apple_pay: 'Apple Pay', google_pay: 'Google Pay', link: 'Link', paypal: 'PayPal' } as const;

/** Registers the page's address if it is new there. Wallets are shown on registered addresses only. */
async function domainChecks(clients: StripeClients, { secretKey }: OpenedAccount, host: string): Promise<Check[]> {
  const client = await clients(secretKey);
  const { data } = await client.paymentMethodDomains.list({ domain_name: host, limit: 1 }, ASK);
  const domain = data[0] ?? (await client.paymentMethodDomains.create({ domain_name: host }, ASK));
  const off = (Object.keys(WALLETS) as (keyof typeof WALLETS)[]).filter(id => domain[id]?.status === 'inactive');
  if (off.length === 0) return [fine('domain', host)];
  return off.map(id =>
    warning(
      'domain',
      {
        en: `${WALLETS[id]} is not active for ${host} at Stripe. See Settings → Payment method domains there.`,
        de: `${WALLETS[id]} ist bei Stripe für ${host} nicht aktiv. Siehe dort Einstellungen → Domains für Zahlungsmethoden.`,
      },
      WALLETS[id],
    ),
  );
}

/** What the key must be allowed to read so that refunds, disputes and payouts are known here. */
const READS: readonly (readonly [what: Advice, read: (client: StripeClient) => Promise<unknown>])[] = [
  [{ en: 'refunds', de: 'Erstattungen' }, client => client.refunds.list({ limit: 1 }, ASK)],
  [{ en: 'disputes', de: 'Zahlungsanfechtungen' }, client => client.disputes.list({ limit: 1 }, ASK)],
  [{ en: 'the balance', de: 'den Saldo' }, client => client.balanceTransactions.list({ limit: 1 }, ASK)],
  [
    { en: 'early fraud warnings', de: 'frühe Betrugswarnungen' },
    client => client.radar.earlyFraudWarnings.list({ limit: 1 }, ASK),
  ],
];

const CAPABILITIES: Advice = { en: 'the account’s capabilities', de: 'die Fähigkeiten des Kontos' };
const OWN_PAYMENT: Advice = { en: 'a payment of its own', de: 'eine eigene Zahlung' };
const DOMAINS: Advice = { en: 'payment method domains', de: 'Domains für Zahlungsmethoden' };

async function readChecks(clients: StripeClients, { secretKey }: OpenedAccount): Promise<Check[]> {
  const client = await clients(secretKey);
  const found = await Promise.all(
    READS.map(([what, read]) =>
      unlessForbidden(what, async () => {
        await read(client);
        return [fine('permissions', what.en)];
      }),
    ),
  );
  return found.flat();
}

/** A key that may not look is told, with what to allow; it may take payments all the same. */
async function unlessForbidden(what: Advice, look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    if (stripeFaultOf(error)?.statusCode === 403) {
      const advice = {
        en: `The secret key may not read ${what.en}. Allow it at Stripe: Developers → API keys → the restricted key.`,
        de: `Der geheime Schlüssel darf ${what.de} nicht lesen. Erlauben Sie es bei Stripe: Entwickler → API-Schlüssel → der eingeschränkte Schlüssel.`,
      };
      return [warning('permissions', advice, what.en)];
    }
    const advice = {
      en: `Stripe did not answer about ${what.en}. Test again later.`,
      de: `Stripe hat auf die Frage nach „${what.de}“ nicht geantwortet. Testen Sie später noch einmal.`,
    };
    return [unknown('permissions', what.en, advice)];
  }
}

export const inspectAccount =
  (clients: StripeClients) =>
  async (account: OpenedAccount, site: Inspection): Promise<Check[]> => {
    const { host } = site;
    const checks = [
      await unlessForbidden(CAPABILITIES, () => accountChecks(clients, account, site)),
      await unlessForbidden(OWN_PAYMENT, () => keyCheck(clients, account)),
      await readChecks(clients, account),
      host === null ? [unknown('domain')] : await unlessForbidden(DOMAINS, () => domainChecks(clients, account, host)),
    ];
    return checks.flat();
  };
