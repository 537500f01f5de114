import type { ReceiptWords } from './receipt-words.ts';

export const ar: ReceiptWords = {
  direction: 'rtl',
  subject: 'إيصالك من {game}: {amount}',
  heading: 'شكرًا على شرائك',
  total: 'الإجمالي',
  order: 'الطلب',
  payment: 'الدفعة',
  paidWith: 'طريقة الدفع',
  date: 'التاريخ',
  seller: 'البائع',
  free: 'مجانًا',
  support: 'هل لديك سؤال عن عملية الشراء هذه؟ تواصل مع {seller} واذكر رقم الطلب.',
  sandbox: 'كانت هذه تجربة. لم يُخصم أي مبلغ حقيقي.',
  automatic: 'أُرسلت هذه الرسالة تلقائيًا لأن هذا العنوان أُدخل عند الدفع.',
};
