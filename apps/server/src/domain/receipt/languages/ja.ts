import type { ReceiptWords } from './receipt-words.ts';

export const ja: ReceiptWords = {
  direction: 'ltr',
  subject: '{game} の領収書：{amount}',
  heading: 'ご購入ありがとうございます',
  total: '合計',
  order: '注文',
  payment: 'お支払い',
  paidWith: 'お支払い方法',
  date: '日時',
  seller: '販売元',
  free: '無料',
  support: 'このご購入についてのお問い合わせは、注文番号を添えて {seller} までご連絡ください。',
  sandbox: 'これはテストです。実際の請求は行われていません。',
  automatic: 'このメールは、お支払い時にこのアドレスが入力されたため自動的に送信されました。',
};
