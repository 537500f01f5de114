import type Stripe from 'stripe';
import { findMethod } from '../../../method-table.ts';
import type { Inspection, OpenedAccount } from '../../provider.ts';
import { type StripeClients, TIMEOUTS_MS } from '../stripe-client.ts';
import { faultOf } from '../stripe-context.ts';
import { typeOf } from './stripe-abilities.ts';

const options = { timeout: TIMEOUTS_MS.ask };

const capabilityOf = (type: string): string =>
  type === 'us_bank_account' ? 'us_bank_account_ach_payments' : `${type}_payments`;

/** PayPal through Stripe is for businesses here only. */
const PAYPAL_COUNTRIES =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');

/** Stripe names only what was asked for once; what it does not name is left to the form, which leaves it out. */
function capabilityAdvice({ capabilities, country }: Stripe.Account, methods: readonly string[]): string[] {
  const known = (capabilities ?? {}) as Readonly<Record<string, string | undefined>>;
  const off = methods.filter(id => {
    const status = known[capabilityOf(typeOf(id))];
    return status !== undefined && status !== 'active';
  });
  const isAbroad = methods.includes('paypal') && country != null && !PAYPAL_COUNTRIES.includes(country);
  return [
    ...off.map(id => {
      const { name } = findMethod(id)!;
      const status = known[capabilityOf(typeOf(id))];
      return `${name} is ${status} at Stripe, so players do not see it. Finish it there: Settings → Payment methods.`;
    }),
    ...(isAbroad
      ? ['PayPal through Stripe is for businesses in the EEA, the UK and Switzerland: players do not see it here.']
      : []),
  ];
}

/** A payment that asks no player for money, seen with the key that browsers get: only its own account's key sees it. */
async function keyAdvice(clients: StripeClients, { secretKey, publishableKey }: OpenedAccount): Promise<string[]> {
  const client = await clients(secretKey);
  const idle = await client.paymentIntents.create(
    { amount: 1_000, currency: 'usd', description: 'Connection test. It takes no money.' },
    options,
  );
  try {
    const browser = await clients(publishableKey);
    await browser.paymentIntents.retrieve(idle.id, { client_secret: idle.client_secret ?? '' }, options);
    return [];
  } catch (error) {
    const { statusCode } = faultOf(error);
    if (statusCode === undefined || statusCode >= 500) throw error;
    return [
      'The publishable key belongs to another account than the secret key. Copy both from the same page at Stripe.',
    ];
  } finally {
    await client.paymentIntents.cancel(idle.id, {}, options).catch(() => {});
  }
}

const WALLETS = { apple_pay: 'Apple Pay', google_pay: 'Google Pay', link: 'Link', paypal: 'PayPal' } as const;

/** Registers the page's address if it is new there. Wallets are shown on registered addresses only. */
async function domainAdvice(clients: StripeClients, { secretKey }: OpenedAccount, host: string): Promise<string[]> {
  const client = await clients(secretKey);
  const { data } = await client.paymentMethodDomains.list({ domain_name: host, limit: 1 }, options);
  const domain = data[0] ?? (await client.paymentMethodDomains.create({ domain_name: host }, options));
  return (Object.keys(WALLETS) as (keyof typeof WALLETS)[])
    .filter(id => domain[id]?.status === 'inactive')
    .map(id => `${WALLETS[id]} is not active for ${host} at Stripe. See Settings → Payment method domains there.`);
}

/** A key that may not look is told, with what to allow; it may take payments all the same. */
async function unlessForbidden(what: string, look: () => Promise<string[]>): Promise<string[]> {
  try {
    return await look();
  } catch (error) {
    if (faultOf(error).statusCode === 403)
      return [`The secret key may not read ${what}. Allow it at Stripe to have it checked.`];
    return [`Stripe did not answer about ${what}. Test again later.`];
  }
}

export const inspectAccount =
  (clients: StripeClients) =>
  async (account: OpenedAccount, { host, methods }: Inspection): Promise<string[]> => {
    const advice = [
      await unlessForbidden('the account’s capabilities', async () => {
        const client = await clients(account.secretKey);
        return capabilityAdvice(await client.accounts.retrieveCurrent({}, options), methods);
      }),
      await unlessForbidden('a payment of its own', () => keyAdvice(clients, account)),
      host === null ? [] : await unlessForbidden('payment method domains', () => domainAdvice(clients, account, host)),
    ];
    return advice.flat();
  };
