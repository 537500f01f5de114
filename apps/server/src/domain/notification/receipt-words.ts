/** What a receipt says. `{name}` is filled in. */
export interface ReceiptWords {
  direction: 'ltr' | 'rtl';
  subject: string;
  heading: string;
  total: string;
  order: string;
  payment: string;
  paidWith: string;
  date: string;
  seller: string;
  free: string;
  support: string;
  sandbox: string;
  automatic: string;
  discount: string;
  viewReceipt: string;
  supportAt: string;
  terms: string;
  privacy: string;
  refundPolicy: string;
}
