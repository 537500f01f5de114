import type { AuthorizeRequest, RequestedItem } from '../base/gateway.ts';
import type { mollieNameOf } from './mollie-methods.ts';
import { toMollieMoney } from './wire/mollie-amount.ts';

export type MethodName = NonNullable<ReturnType<typeof mollieNameOf>>;

/** In which languages Mollie has its pages. */
const LOCALES = [
  'en_US',
  'en_GB',
  'nl_NL',
  'nl_BE',
  'de_DE',
  'de_AT',
  'de_CH',
  'fr_FR',
  'fr_BE',
  'es_ES',
  'ca_ES',
  'pt_PT',
  'it_IT',
  'nb_NO',
  'sv_SE',
  'fi_FI',
  'da_DK',
  'is_IS',
  'hu_HU',
  'pl_PL',
  'lv_LV',
  'lt_LT',
] as const;

/** The player's own, else another of the same language; undefined: Mollie takes the browser's. */
export function mollieLocale(locale: string | null | undefined): (typeof LOCALES)[number] | undefined {
  const wanted = locale?.replace('-', '_') ?? '';
  const language = wanted.split('_')[0]!.toLowerCase();
  return LOCALES.find(one => one === wanted) ?? LOCALES.find(one => one.startsWith(`${language}_`));
}

const LONGEST_TEXT = 100;

const lineOf = (currency: string, { sku, name, quantity }: RequestedItem, unitMinor: number) => ({
  type: 'digital' as const,
  description: (name ?? sku).slice(0, LONGEST_TEXT),
  quantity,
  unitPrice: toMollieMoney(unitMinor, currency),
  totalAmount: toMollieMoney(unitMinor * quantity, currency),
  vatRate: '0.00',
  vatAmount: toMollieMoney(0, currency),
  sku: sku.slice(0, 64),
});

/** The items where each has a price and they make up the amount; else one line for all of it. */
function linesOf({ items = [], amountMinor, currency, orderId }: AuthorizeRequest) {
  const sum = items.reduce((total, { priceMinor, quantity }) => total + (priceMinor ?? Number.NaN) * quantity, 0);
  if (items.length > 0 && sum === amountMinor) return items.map(item => lineOf(currency, item, item.priceMinor!));
  const name = items.map(item => item.name ?? item.sku).join(', ') || `Order ${orderId}`;
  return [lineOf(currency, { sku: orderId, name, quantity: 1, priceMinor: amountMinor }, amountMinor)];
}

/**
 * Mollie mails the instructions of a bank transfer at once to an address that comes with it (payment-address in
 * github.com/mollie/openapi). A payment whose answer is lost must be one that no player has heard of, so its page alone shows them.
 */
const MAILED: MethodName = 'banktransfer';

function addressOf({ email, country, address }: AuthorizeRequest, name: MethodName) {
  const known = {
    ...(address?.givenName && { givenName: address.givenName }),
    ...(address?.familyName && { familyName: address.familyName }),
    ...(email && name !== MAILED && { email }),
    ...(address?.line && { streetAndNumber: address.line }),
    ...(address?.postalCode && { postalCode: address.postalCode }),
    ...(address?.city && { city: address.city }),
    ...(address?.region && { region: address.region }),
    ...(country && { country }),
  };
  return Object.keys(known).length > 0 ? { billingAddress: known } : {};
}

export interface MollieMetadata {
  environment_id: string;
  payment_id: string;
  order_id: string;
}

/** What we write on it, so that a list of a day leads back to the payment. */
const markOf = ({ environmentId, paymentId, orderId }: AuthorizeRequest): MollieMetadata => ({
  environment_id: environmentId,
  payment_id: paymentId,
  order_id: orderId,
});

export function paymentBody(request: AuthorizeRequest, name: MethodName, isManual: boolean) {
  const locale = mollieLocale(request.locale);
  return {
    amount: toMollieMoney(request.amountMinor, request.currency),
    description: `${request.brandName ? `${request.brandName.slice(0, LONGEST_TEXT)} ` : ''}${request.orderId}`,
    redirectUrl: `${request.returnUrl}/return`,
    cancelUrl: `${request.returnUrl}/cancel`,
    ...(request.callbackUrl && { webhookUrl: request.callbackUrl }),
    method: name,
    lines: linesOf(request),
    metadata: markOf(request),
    ...addressOf(request, name),
    ...(locale && { locale }),
    ...(isManual && { captureMode: 'manual' as const }),
  };
}
