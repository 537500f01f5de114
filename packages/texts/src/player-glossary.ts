import type { PlayerKey, PlayerLanguage } from './players.ts';

/** Things that the page names again and again. */
export type Term = 'items' | 'receipt' | 'order' | 'provider';

/** Sentences that name each of them. */
export const TERM_KEYS: Record<Term, PlayerKey[]> = {
  items: [
    'charged_after_grant',
    'asking_text',
    'asking_late_text',
    'done_text',
    'rejected_title',
    'charged_back_text',
    'charged_first',
    'not_refundable',
    'awaiting_voucher',
    'awaiting_debit',
    'awaiting_soon',
  ],
  receipt: ['email_optional', 'done_receipt', 'saved_receipt', 'may_close_email'],
  order: ['canceled_title', 'expired_title', 'not_found_title', 'problem_method', 'not_connected_method'],
  provider: [
    'problem_currency',
    'problem_amount_low',
    'problem_amount_high',
    'not_refundable',
    'not_connected_provider',
    'simulated_note',
    'test_mode_note',
  ],
};

/**
 * One word for one thing, in every language: the part of it that no ending changes. A translator who needs another word
 * changes it here, and the test names every sentence that has to follow.
 */
export const GLOSSARY: Record<PlayerLanguage, Record<Term, string>> = {
  en: { items: 'items', receipt: 'receipt', order: 'order', provider: 'payment provider' },
  de: { items: 'Artikel', receipt: 'Quittung', order: 'Bestellung', provider: 'Zahlungsanbieter' },
  fr: { items: 'articles', receipt: 'reçu', order: 'commande', provider: 'prestataire de paiement' },
  es: { items: 'artículos', receipt: 'recibo', order: 'pedido', provider: 'proveedor de pagos' },
  'pt-BR': { items: 'itens', receipt: 'recibo', order: 'pedido', provider: 'provedor de pagamento' },
  it: { items: 'oggetti', receipt: 'ricevuta', order: 'ordine', provider: 'fornitore di pagamenti' },
  nl: { items: 'items', receipt: 'bon', order: 'bestelling', provider: 'betaalprovider' },
  da: { items: 'genstande', receipt: 'kvittering', order: 'ordre', provider: 'betalingsudbyder' },
  sv: { items: 'föremål', receipt: 'kvitto', order: 'beställning', provider: 'betaltjänst' },
  nb: { items: 'gjenstandene', receipt: 'kvittering', order: 'bestilling', provider: 'betalingsleverandør' },
  fi: { items: 'esine', receipt: 'kuit', order: 'tilau', provider: 'maksupalvelu' },
  pl: { items: 'przedmiot', receipt: 'potwierdzeni', order: 'zamówieni', provider: 'operator' },
  cs: { items: 'předměty', receipt: 'účtenk', order: 'objednáv', provider: 'platební br' },
  hu: { items: 'tárgya', receipt: 'nyugt', order: 'rendelés', provider: 'fizetési szolgáltató' },
  ro: { items: 'obiecte', receipt: 'chitanț', order: 'comand', provider: 'procesator' },
  el: { items: 'αντικείμεν', receipt: 'απόδειξη', order: 'παραγγελία', provider: 'πάροχο' },
  tr: { items: 'öğe', receipt: 'makbuz', order: 'sipariş', provider: 'ödeme sağlayıcısı' },
  uk: { items: 'предмети', receipt: 'квитанці', order: 'замовлення', provider: 'провайдер' },
  ru: { items: 'предметы', receipt: 'чек', order: 'заказ', provider: 'провайдер' },
  ja: { items: 'アイテム', receipt: '領収書', order: '注文', provider: '決済会社' },
  ko: { items: '아이템', receipt: '영수증', order: '주문', provider: '결제 대행사' },
  'zh-Hans': { items: '物品', receipt: '收据', order: '订单', provider: '支付服务商' },
  'zh-Hant': { items: '物品', receipt: '收據', order: '訂單', provider: '金流服務商' },
  id: { items: 'item', receipt: 'struk', order: 'pesanan', provider: 'penyedia pembayaran' },
  ms: { items: 'item', receipt: 'resit', order: 'pesanan', provider: 'penyedia pembayaran' },
  vi: { items: 'vật phẩm', receipt: 'biên lai', order: 'đơn hàng', provider: 'nhà cung cấp thanh toán' },
  th: { items: 'ไอเทม', receipt: 'ใบเสร็จ', order: 'คำสั่งซื้อ', provider: 'ผู้ให้บริการชำระเงิน' },
  hi: { items: 'आइटम', receipt: 'रसीद', order: 'ऑर्डर', provider: 'भुगतान प्रदाता' },
  ar: { items: 'عناصر', receipt: 'إيصال', order: 'طلب', provider: 'مزوّد' },
  he: { items: 'פריטים', receipt: 'קבלה', order: 'הזמנה', provider: 'תשלומים' },
};
