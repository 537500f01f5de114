import type { Inspection, OpenedAccount } from '../../provider.ts';
import { type PaypalClient, PaypalFault } from '../wire/paypal-client.ts';

const URI = 'https://uri.paypal.com/services';

/** What the keys must be allowed, and what is missed without it. PayPal tells an app's permissions with each token. */
const NEEDED: readonly { scopes: readonly string[]; advice: string }[] = [
  {
    scopes: [
      `${URI}/payments/payment/authcapture`,
      `${URI}/payments/realtimepayment`,
      'https://api.paypal.com/v1/payments/.*',
    ],
    advice:
      'The app may not take payments. Switch on “Accept payments” for it at PayPal: Apps & Credentials → the app → Features.',
  },
  {
    scopes: [`${URI}/payments/refund`, 'https://api.paypal.com/v1/payments/.*'],
    advice: 'The app may not refund. Switch on “Accept payments” with refunds for it at PayPal.',
  },
  {
    scopes: [`${URI}/reporting/search/read`],
    advice:
      'The app may not list transactions, so days cannot be compared. Switch on “Transaction search” for it at PayPal.',
  },
  {
    scopes: [`${URI}/disputes/read-seller`, `${URI}/disputes/read`],
    advice: 'The app may not read disputes, so each stays unclear. Switch on “Customer disputes” for it at PayPal.',
  },
  {
    scopes: [`${URI}/vault/payment-tokens/readwrite`],
    advice:
      'The app may not save PayPal for the next order. Switch on “Save payment methods” for it at PayPal; players can pay without it.',
  },
];

export const inspectAccount =
  (client: PaypalClient) =>
  async (account: OpenedAccount, { methods }: Inspection): Promise<string[]> => {
    if (!methods.includes('paypal')) return [];
    try {
      const { scope = '' } = await client.askToken(account);
      const granted = new Set(scope.split(' '));
      return NEEDED.filter(({ scopes }) => !scopes.some(one => granted.has(one))).map(({ advice }) => advice);
    } catch (error) {
      if (error instanceof PaypalFault) return ['PayPal did not answer about the app’s permissions. Test again later.'];
      throw error;
    }
  };
