import type { ReceiptWords } from './receipt-words.ts';

export const en: ReceiptWords = {
  direction: 'ltr',
  subject: 'Your receipt from {game}: {amount}',
  heading: 'Thank you for your purchase',
  total: 'Total',
  order: 'Order',
  payment: 'Payment',
  paidWith: 'Paid with',
  date: 'Date',
  seller: 'Sold by',
  free: 'Free',
  support: 'Questions about this purchase? Contact {seller} and give the order number.',
  sandbox: 'This was a test. No real money was charged.',
  automatic: 'This message was sent automatically, because this address was entered at checkout.',
};
