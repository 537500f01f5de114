import type { RenderedMail } from '../../mail/mail-content.ts';
import { renderReceipt } from './render-receipt.ts';

/** What a player would get, to show beside the settings. Nothing in it was ever bought. */
export const sampleReceipt = (
  { gameName, companyName }: { gameName: string; companyName: string },
  locale: string | null,
  paidAt: Date,
): RenderedMail =>
  renderReceipt({
    locale,
    gameName,
    companyName,
    sandbox: false,
    orderId: 'ord_00000000000000000000000000',
    paymentId: 'pay_00000000000000000000000000',
    items: [
      { sku: 'gold_500', name: '500 gold', quantity: 1, priceMinor: 499, currency: 'USD' },
      { sku: 'shield', name: 'Silver shield', quantity: 2, priceMinor: 199, currency: 'USD' },
    ],
    amountMinor: 897,
    currency: 'USD',
    brandName: 'Visa',
    last4: '4242',
    paidAt,
  });
