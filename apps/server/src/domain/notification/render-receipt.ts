import type { Seller } from '@coinslot/contract';
import { formatCount, formatMoney, formatTime } from '../../kit/format.ts';
import { fill, type MailContent, type MailLine, oneLine, type RenderedMail } from '../../mail/mail-content.ts';
import { renderMail } from '../../mail/render-mail.ts';
import { discountMinor } from '../order/discount.ts';
import { findLanguage, type ReceiptLanguage } from './receipt-language.ts';

export interface ReceiptItem {
  sku: string;
  name: string | null;
  quantity: number;
  /** Of one piece; null when only the whole order has a price. */
  priceMinor: number | null;
  currency: string | null;
}

export interface ReceiptView {
  locale: string | null;
  gameName: string;
  companyName: string;
  sandbox: boolean;
  orderId: string;
  paymentId: string;
  items: ReceiptItem[];
  amountMinor: number;
  currency: string;
  /** A name for people, such as `Visa`. */
  brandName: string | null;
  last4: string | null;
  /** The name of a method that is no card, such as `Apple Pay`. */
  methodName?: string | null;
  paidAt: Date;
  /** What the company says of itself. */
  seller: Seller;
  /** The page to print. */
  receiptUrl: string | null;
}

/** `Apple Pay (Visa •••• 4242)`, or as much of it as is known. */
export function paidWith({
  brandName,
  last4,
  methodName = null,
}: Pick<ReceiptView, 'brandName' | 'last4' | 'methodName'>): string | null {
  const card = brandName && last4 ? `${brandName} •••• ${last4}` : null;
  return methodName && card ? `${methodName} (${card})` : (methodName ?? card);
}

/** In place of the game's name where no money stands behind it: a subject is not for the words of strangers. */
const SERVICE_NAME = 'Coinslot';

/** A mail that costs its sender nothing. */
export const isWithoutMoney = ({ sandbox, amountMinor }: Pick<ReceiptView, 'sandbox' | 'amountMinor'>): boolean =>
  sandbox || amountMinor === 0;

const sellerName = ({ seller, companyName }: ReceiptView): string => seller.legal_name ?? companyName;

function sellerLine(view: ReceiptView): string {
  const { address, country, registration_number, tax_number } = view.seller;
  return [sellerName(view), address, country, registration_number, tax_number].filter(Boolean).join(', ');
}

const lineMinor = ({ priceMinor, quantity }: ReceiptItem): number => (priceMinor ?? Number.NaN) * quantity;

/** An order may have a price above that of its items; then their prices would only confuse the reader. */
function addsUp({ items, amountMinor, currency }: ReceiptView): boolean {
  const sum = items.reduce((total, item) => total + lineMinor(item), 0);
  return sum === amountMinor && items.every(item => item.currency === currency);
}

/** A last line with what the order's own price takes off the sum of the items. */
function discountLine(view: ReceiptView, label: string, locale: string): MailLine[] {
  const minor = discountMinor(view);
  return minor === null ? [] : [{ name: label, count: null, amount: formatMoney(-minor, view.currency, locale) }];
}

const lineOf = (item: ReceiptItem, amount: string | null, locale: string): MailLine => ({
  name: item.name ?? item.sku,
  count: item.quantity > 1 ? formatCount(item.quantity, locale) : null,
  amount,
});

const amountOf = ({ amountMinor, currency }: ReceiptView, { words, formatLocale }: ReceiptLanguage): string =>
  amountMinor === 0 ? words.free : formatMoney(amountMinor, currency, formatLocale);

export function receiptSubject(view: ReceiptView): string {
  const language = findLanguage(view.locale);
  const game = isWithoutMoney(view) ? SERVICE_NAME : view.gameName;
  const subject = oneLine(fill(language.words.subject, { game, amount: amountOf(view, language) }));
  return view.sandbox ? `[SANDBOX] ${subject}` : subject;
}

/** The receipt in the order's language. Amounts and dates follow its locale; times are in UTC and say so. */
export function receiptContent(view: ReceiptView): MailContent {
  const language = findLanguage(view.locale);
  const { tag, formatLocale, words } = language;
  const discount = discountLine(view, words.discount, formatLocale);
  const hasPrices = discount.length > 0 || (view.amountMinor > 0 && addsUp(view));
  const facts = [
    { label: words.date, value: formatTime(view.paidAt, formatLocale) },
    { label: words.paidWith, value: paidWith(view) },
    { label: words.seller, value: sellerLine(view) },
    { label: words.order, value: view.orderId },
    { label: words.payment, value: view.paymentId },
    { label: words.supportAt, value: view.seller.support },
    { label: words.terms, value: view.seller.terms_url },
    { label: words.privacy, value: view.seller.privacy_url },
    { label: words.refundPolicy, value: view.seller.refund_url },
  ];
  return {
    subject: receiptSubject(view),
    language: tag === 'pt' ? 'pt-BR' : tag,
    direction: words.direction,
    sender: view.gameName,
    heading: words.heading,
    sandboxNote: view.sandbox ? words.sandbox : null,
    paragraphs: [],
    ...(view.receiptUrl !== null && { link: { label: words.viewReceipt, url: view.receiptUrl } }),
    lines: [
      ...view.items.map(item =>
        lineOf(item, hasPrices ? formatMoney(lineMinor(item), view.currency, formatLocale) : null, formatLocale),
      ),
      ...discount,
    ],
    total: { label: words.total, amount: amountOf(view, language) },
    facts: facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
    closing: [fill(words.support, { seller: sellerName(view) }), words.automatic],
  };
}

export const renderReceipt = (view: ReceiptView): RenderedMail => renderMail(receiptContent(view));
