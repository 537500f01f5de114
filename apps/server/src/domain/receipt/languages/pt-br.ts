import type { ReceiptWords } from './receipt-words.ts';

export const ptBr: ReceiptWords = {
  direction: 'ltr',
  subject: 'Seu recibo de {game}: {amount}',
  heading: 'Obrigado pela sua compra',
  total: 'Total',
  order: 'Pedido',
  payment: 'Pagamento',
  paidWith: 'Pago com',
  date: 'Data',
  seller: 'Vendido por',
  free: 'Grátis',
  support: 'Dúvidas sobre esta compra? Fale com {seller} e informe o número do pedido.',
  sandbox: 'Isto foi um teste. Nenhum dinheiro real foi cobrado.',
  automatic: 'Esta mensagem foi enviada automaticamente porque este endereço foi informado no pagamento.',
};
