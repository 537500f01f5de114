import type Stripe from 'stripe';
import { METHODS } from '../../../methods/method-table.ts';
import type { AskedAccount } from '../../base/provider.ts';
import { ASK, type StripeClients } from '../stripe-client.ts';
import { stripeFaultOf } from '../stripe-fault.ts';
import { typeOf } from './stripe-account.ts';

const nameOf = ({ business_profile: profile, settings, email }: Stripe.Account): string | null =>
  profile?.name ?? settings?.dashboard.display_name ?? email ?? null;

export const capabilityOf = (type: string): string =>
  type === 'us_bank_account' ? 'us_bank_account_ach_payments' : `${type}_payments`;

/** PayPal through Stripe is for businesses here only. */
const PAYPAL_COUNTRIES =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');

export const capabilitiesOf = ({ capabilities }: Stripe.Account) =>
  (capabilities ?? {}) as Readonly<Record<string, string | undefined>>;

export const isPaypalOpen = (country: string | null | undefined): boolean =>
  !country || PAYPAL_COUNTRIES.includes(country);

/** What is switched off there, or closed to businesses of this country. Of what Stripe does not name, nothing is known. */
function unavailableAt(account: Stripe.Account): string[] {
  const known = capabilitiesOf(account);
  const isOff = (id: string): boolean => (known[capabilityOf(typeOf(id))] ?? 'active') !== 'active';
  return METHODS.map(({ id }) => id).filter(id => isOff(id) || (id === 'paypal' && !isPaypalOpen(account.country)));
}

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
        said: account.requirements?.disabled_reason ?? null,
        unavailableMethods: unavailableAt(account),
      },
    };
  } catch (error) {
    const fault = stripeFaultOf(error);
    if (!fault) throw error;
    return fault.asAccountProblem();
  }
}
