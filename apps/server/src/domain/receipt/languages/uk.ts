import type { ReceiptWords } from './receipt-words.ts';

export const uk: ReceiptWords = {
  direction: 'ltr',
  subject: 'Ваш чек від {game}: {amount}',
  heading: 'Дякуємо за покупку',
  total: 'Разом',
  order: 'Замовлення',
  payment: 'Платіж',
  paidWith: 'Спосіб оплати',
  date: 'Дата',
  seller: 'Продавець',
  free: 'Безкоштовно',
  support: 'Маєте запитання щодо цієї покупки? Зверніться до {seller} і вкажіть номер замовлення.',
  sandbox: 'Це був тест. Справжні гроші не списано.',
  automatic: 'Це повідомлення надіслано автоматично, тому що цю адресу вказали під час оплати.',
};
