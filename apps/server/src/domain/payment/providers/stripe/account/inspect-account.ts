import { advice } from '@coinslot/texts/advice';
import { findMethod } from '../../../methods/method-table.ts';
import { clockCheck, failed, fine, unknown, warning } from '../../base/checks.ts';
import type { Check, Inspection, OpenedAccount } from '../../base/provider.ts';
import { ASK, type StripeClient, type StripeClients } from '../stripe-client.ts';
import { stripeFaultOf } from '../stripe-fault.ts';
import { capabilitiesOf, capabilityOf, isPaypalOpen } from './ask-account.ts';
import { typeOf } from './stripe-account.ts';

/** Stripe names only what was asked for once; what it does not name is left to the form, which leaves it out. */
function methodCheck(status: string | undefined, id: string): Check {
  const { name } = findMethod(id)!;
  if (status === undefined) return unknown('methods', name);
  if (status === 'active') return fine('methods', name);
  const fix = advice.each('stripe.method_off', { method: name, status });
  return id === 'card' ? failed('methods', fix, name) : warning('methods', fix, name);
}

function countryCheck(country: string | null, methods: readonly string[]): Check {
  if (country === null) return unknown('country');
  if (!methods.includes('paypal') || isPaypalOpen(country)) return fine('country', country);
  return warning('country', advice.each('stripe.paypal_country'), country);
}

/** Every call names the version that this program was written for; Stripe answers in the version that it took. */
function versionCheck(client: StripeClient, answered: string | undefined): Check {
  const asked = client.getApiField('version');
  if (!answered || answered === asked) return fine('api_version', asked);
  return failed('api_version', advice.each('stripe.version', { answered, asked }), answered);
}

async function accountChecks(
  clients: StripeClients,
  { secretKey }: OpenedAccount,
  { methods, nowMs }: Inspection,
): Promise<Check[]> {
  const client = await clients(secretKey);
  const account = await client.accounts.retrieveCurrent({}, ASK);
  const known = capabilitiesOf(account);
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
    return [failed('keys', advice.each('stripe.keys_differ'))];
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
  return off.map(id => {
    const wallet = WALLETS[id];
    return warning('domain', advice.each('stripe.domain_off', { wallet, host }), wallet);
  });
}

type Topic =
  `stripe.${'refunds' | 'disputes' | 'balance' | 'fraud_warnings' | 'capabilities' | 'own_payment' | 'domains'}`;

/** What the key must be allowed to read so that refunds, disputes and payouts are known here. */
const READS: readonly (readonly [what: Topic, read: (client: StripeClient) => Promise<unknown>])[] = [
  ['stripe.refunds', client => client.refunds.list({ limit: 1 }, ASK)],
  ['stripe.disputes', client => client.disputes.list({ limit: 1 }, ASK)],
  ['stripe.balance', client => client.balanceTransactions.list({ limit: 1 }, ASK)],
  ['stripe.fraud_warnings', client => client.radar.earlyFraudWarnings.list({ limit: 1 }, ASK)],
];

async function readChecks(clients: StripeClients, { secretKey }: OpenedAccount): Promise<Check[]> {
  const client = await clients(secretKey);
  const found = await Promise.all(
    READS.map(([what, read]) =>
      unlessForbidden(what, async () => {
        await read(client);
        return [fine('permissions', advice.languages.en[what])];
      }),
    ),
  );
  return found.flat();
}

/** A key that may not look is told, with what to allow; it may take payments all the same. */
async function unlessForbidden(topic: Topic, look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    const what = advice.each(topic);
    return stripeFaultOf(error)?.statusCode === 403
      ? [warning('permissions', advice.each('stripe.may_not_read', { what }), what.en)]
      : [unknown('permissions', what.en, advice.each('stripe.no_answer_about', { what }))];
  }
}

export const inspectAccount =
  (clients: StripeClients) =>
  async (account: OpenedAccount, site: Inspection): Promise<Check[]> => {
    const { host } = site;
    const checks = [
      await unlessForbidden('stripe.capabilities', () => accountChecks(clients, account, site)),
      await unlessForbidden('stripe.own_payment', () => keyCheck(clients, account)),
      await readChecks(clients, account),
      host === null
        ? [unknown('domain')]
        : await unlessForbidden('stripe.domains', () => domainChecks(clients, account, host)),
    ];
    return checks.flat();
  };
