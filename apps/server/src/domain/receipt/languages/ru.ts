import type { ReceiptWords } from './receipt-words.ts';

export const ru: ReceiptWords = {
  direction: 'ltr',
  subject: 'Ваш чек от {game}: {amount}',
  heading: 'Спасибо за покупку',
  total: 'Итого',
  order: 'Заказ',
  payment: 'Платёж',
  paidWith: 'Способ оплаты',
  date: 'Дата',
  seller: 'Продавец',
  free: 'Бесплатно',
  support: 'Есть вопросы о покупке? Обратитесь в {seller} и укажите номер заказа.',
  sandbox: 'Это был тест. Настоящие деньги не списаны.',
  automatic: 'Это письмо отправлено автоматически, потому что этот адрес указали при оплате.',
};
