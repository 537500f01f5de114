import type { Seller } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import type { RenderedMail } from '../../mail/mail-content.ts';
import { listCompanyGames } from '../game/game.sql.ts';
import { renderReceipt } from './render-receipt.ts';

/** What a player of the company's first game would get, to show beside the settings. Nothing in it was ever bought. */
export async function sampleReceipt(
  { db }: { db: Queryable },
  company: { id: string; name: string; seller: Seller },
  locale: string | null,
  paidAt: Date,
): Promise<RenderedMail> {
  const [game] = await listCompanyGames(db, company.id);
  return renderReceipt({
    locale,
    gameName: game?.name ?? company.name,
    companyName: company.name,
    seller: company.seller,
    receiptUrl: null,
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
}
