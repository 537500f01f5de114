import type { Seller } from '@coinslot/contract';
import { PLAYER_LANGUAGES, type PlayerLanguage, playerLanguageOf, players } from '@coinslot/texts/players';
import { formatCount, formatMoney, formatTime } from '../../kit/format.ts';
import { type MailContent, type MailLine, type MailLook, oneLine } from '../../mail/mail-content.ts';
import { sellerAddress } from '../company/seller.ts';
import { discountMinor } from '../order/pricing.ts';

interface ReceiptItem {
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
  look: MailLook;
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
  seller: Seller;
  /** The page to print. */
  receiptUrl: string | null;
}

/** `Apple Pay (Visa •••• 4242)`, or as much of it as is known. */
export function paidWith(by: Pick<ReceiptView, 'brandName' | 'last4' | 'methodName'>): string | null {
  const { brandName, last4, methodName = null } = by;
  const card = brandName && last4 ? `${brandName} •••• ${last4}` : null;
  return methodName && card ? `${methodName} (${card})` : (methodName ?? card);
}

/** In place of the game's name where no money stands behind it: a subject is not for the words of strangers. */
const SERVICE_NAME = 'Coinslot';

/** A mail that costs its sender nothing. */
export const isWithoutMoney = ({ sandbox, amountMinor }: Pick<ReceiptView, 'sandbox' | 'amountMinor'>): boolean =>
  sandbox || amountMinor === 0;

const sellerName = ({ seller, companyName }: ReceiptView): string => seller.legal_name ?? companyName;

function sellerLine(view: ReceiptView, { tag }: ReceiptLanguage): string {
  const { registration_number, tax_number } = view.seller;
  return [sellerName(view), sellerAddress(view.seller, tag), registration_number, tax_number]
    .filter(Boolean)
    .join(', ');
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

interface ReceiptLanguage {
  tag: PlayerLanguage;
  /** For numbers and dates: as exact as the order's locale says, so that Austria and Germany may differ. */
  formatLocale: string;
}

const ENGLISH: ReceiptLanguage = { tag: 'en', formatLocale: 'en' };

/** The language of a BCP 47 tag, or English when there is none of ours. */
export function receiptLanguage(locale: string | null): ReceiptLanguage {
  const tag = playerLanguageOf(locale ?? '');
  if (locale === null || tag === null) return ENGLISH;
  try {
    return { tag, formatLocale: new Intl.Locale(locale).baseName };
  } catch {
    return ENGLISH;
  }
}

type Amount = Pick<ReceiptView, 'amountMinor' | 'currency'>;

const amountOf = ({ amountMinor, currency }: Amount, { tag, formatLocale }: ReceiptLanguage): string =>
  amountMinor === 0 ? players.text(tag, 'free') : formatMoney(amountMinor, currency, formatLocale);

/** All that the subject needs, so that it can be written without the rest. */
export function receiptSubject(view: Amount & Pick<ReceiptView, 'locale' | 'gameName' | 'sandbox'>): string {
  const language = receiptLanguage(view.locale);
  const game = isWithoutMoney(view) ? SERVICE_NAME : view.gameName;
  const subject = oneLine(players.text(language.tag, 'mail_subject', { game, amount: amountOf(view, language) }));
  return view.sandbox ? `[SANDBOX] ${subject}` : subject;
}

/** The receipt in the order's language. Amounts and dates follow its locale; times are in UTC and say so. */
export function receiptContent(view: ReceiptView): MailContent {
  const language = receiptLanguage(view.locale);
  const { tag, formatLocale } = language;
  const say = players.in(tag);
  const discount = discountLine(view, say('discount'), formatLocale);
  const hasPrices = discount.length > 0 || (view.amountMinor > 0 && addsUp(view));
  const facts = [
    { label: say('paid_on'), value: formatTime(view.paidAt, formatLocale) },
    { label: say('paid_with'), value: paidWith(view) },
    { label: say('mail_seller'), value: sellerLine(view, language) },
    { label: say('mail_order'), value: view.orderId },
    { label: say('mail_payment'), value: view.paymentId },
    { label: say('support'), value: view.seller.support },
    { label: say('terms'), value: view.seller.terms_url },
    { label: say('privacy'), value: view.seller.privacy_url },
    { label: say('refund_policy'), value: view.seller.refund_url },
  ];
  return {
    subject: receiptSubject(view),
    language: tag,
    direction: PLAYER_LANGUAGES[tag].dir,
    sender: view.gameName,
    heading: say('mail_heading'),
    look: view.look,
    sandboxNote: view.sandbox ? say('mail_sandbox') : null,
    paragraphs: [],
    ...(view.receiptUrl !== null && { link: { label: say('view_receipt'), url: view.receiptUrl } }),
    lines: [
      ...view.items.map(item =>
        lineOf(item, hasPrices ? formatMoney(lineMinor(item), view.currency, formatLocale) : null, formatLocale),
      ),
      ...discount,
    ],
    total: { label: say('total'), amount: amountOf(view, language) },
    facts: facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
    closing: [say('mail_support', { seller: sellerName(view) }), say('mail_automatic')],
  };
}
