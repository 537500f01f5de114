import type { ReceiptWords } from './receipt-words.ts';

export const zhHans: ReceiptWords = {
  direction: 'ltr',
  subject: '您在 {game} 的购买收据：{amount}',
  heading: '感谢您的购买',
  total: '合计',
  order: '订单',
  payment: '付款',
  paidWith: '支付方式',
  date: '日期',
  seller: '销售方',
  free: '免费',
  support: '对此次购买有疑问？请联系 {seller} 并提供订单号。',
  sandbox: '这是一次测试，没有收取真实款项。',
  automatic: '此邮件由系统自动发送，因为付款时填写了此邮箱地址。',
};
