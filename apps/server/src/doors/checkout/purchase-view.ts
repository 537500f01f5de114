import type { PurchaseFacts, SellerView } from '@coinslot/checkout-page';
import { sellerFacts } from '../../domain/company/seller.ts';
import { paidWith } from '../../domain/notification/render-receipt.ts';
import { type Order, statusAt } from '../../domain/order/order.ts';
import { findMethod } from '../../domain/payment/methods/method-table.ts';
import type { Payment } from '../../domain/payment/payment.ts';
import { brandName } from '../../domain/payment/providers/base/card.ts';
import type { Checkout } from '../../domain/purchase/checkout/checkout.ts';
import { formatTime } from '../../kit/format.ts';

export const sellerView = (
  { seller, companyName }: Pick<Checkout, 'seller' | 'companyName'>,
  language: string,
): SellerView => sellerFacts(seller, companyName, language);

type PaidBy = Pick<Payment, 'brand' | 'last4' | 'method'>;

/** "Visa •••• 4242", "Apple Pay (Visa •••• 4242)" or the method's name. */
const wayOf = ({ brand, last4, method }: PaidBy): string | null =>
  paidWith({
    brandName: brand && brandName(brand),
    last4,
    methodName: method === 'card' ? null : (findMethod(method)?.name ?? null),
  });

/** Enough for the player to know which card it was, and nothing that pays. */
export const lastCard = (payment: (PaidBy & { status: string }) | null): string | null =>
  payment?.status === 'declined' && payment.method === 'card' ? wayOf(payment) : null;

interface Purchased {
  order: Order;
  payment: (PaidBy & Pick<Payment, 'refundedAt'>) | null;
  now: Date;
}

/** An order that lapsed by the clock alone was not written since. */
const endedAt = ({ order, now }: Purchased): Date =>
  statusAt(order, now) === 'expired' ? order.expiresAt : order.updatedAt;

export const purchaseFacts = (purchased: Purchased, locale: string): PurchaseFacts => {
  const { order, payment } = purchased;
  return {
    orderNumber: order.id,
    paidOn: formatTime(order.paidAt ?? endedAt(purchased), locale),
    paidWith: payment && wayOf(payment),
    refundedOn: payment?.refundedAt ? formatTime(payment.refundedAt, locale) : null,
    hasReceipt: order.paidAt !== null && order.amountMinor > 0,
  };
};

/** The marks that a card form shows: those that every provider of ours takes. */
const CARDS = ['Visa', 'Mastercard', 'Amex'];
const SANDBOX_CARDS = [...CARDS, 'Discover', 'JCB'];
const WITH_MARKS: readonly string[] = ['apple_pay', 'google_pay', 'paypal'];

export function acceptedMarks({ live }: Pick<Checkout, 'live'>): string[] {
  if (live === null) return SANDBOX_CARDS;
  const methods = 'methods' in live.offer ? live.offer.methods : [];
  const cards = methods.some(({ id }) => id === 'card') ? CARDS : [];
  return [...cards, ...methods.filter(({ id }) => WITH_MARKS.includes(id)).map(({ name }) => name)];
}
