import type { ReceiptWords } from './receipt-words.ts';

export const ko: ReceiptWords = {
  direction: 'ltr',
  subject: '{game} 영수증: {amount}',
  heading: '구매해 주셔서 감사합니다',
  total: '합계',
  order: '주문',
  payment: '결제',
  paidWith: '결제 수단',
  date: '날짜',
  seller: '판매자',
  free: '무료',
  support: '이 구매에 대해 궁금한 점이 있으신가요? 주문 번호와 함께 {seller}에 문의해 주세요.',
  sandbox: '테스트 결제입니다. 실제로 청구된 금액은 없습니다.',
  automatic: '결제할 때 이 주소가 입력되어 자동으로 발송된 메일입니다.',
};
