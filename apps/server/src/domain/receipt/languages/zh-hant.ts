import type { ReceiptWords } from './receipt-words.ts';

export const zhHant: ReceiptWords = {
  direction: 'ltr',
  subject: '您在 {game} 的購買收據：{amount}',
  heading: '感謝您的購買',
  total: '總計',
  order: '訂單',
  payment: '付款',
  paidWith: '付款方式',
  date: '日期',
  seller: '銷售方',
  free: '免費',
  support: '對這次購買有疑問嗎？請聯絡 {seller} 並提供訂單編號。',
  sandbox: '這是一次測試，並未收取真實款項。',
  automatic: '此郵件由系統自動寄出，因為付款時填寫了這個電子郵件地址。',
};
