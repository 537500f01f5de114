import type { ReceiptWords } from './receipt-words.ts';

export const tr: ReceiptWords = {
  direction: 'ltr',
  subject: '{game} makbuzunuz: {amount}',
  heading: 'Satın aldığınız için teşekkür ederiz',
  total: 'Toplam',
  order: 'Sipariş',
  payment: 'Ödeme',
  paidWith: 'Ödeme yöntemi',
  date: 'Tarih',
  seller: 'Satıcı',
  free: 'Ücretsiz',
  support: 'Bu satın alma hakkında sorunuz mu var? {seller} ile iletişime geçin ve sipariş numarasını belirtin.',
  sandbox: 'Bu bir testti. Gerçek para çekilmedi.',
  automatic: 'Bu ileti, ödeme sırasında bu adres girildiği için otomatik olarak gönderildi.',
};
