import type { ReceiptWords } from './receipt-words.ts';

export const es: ReceiptWords = {
  direction: 'ltr',
  subject: 'Tu recibo de {game}: {amount}',
  heading: 'Gracias por tu compra',
  total: 'Total',
  order: 'Pedido',
  payment: 'Pago',
  paidWith: 'Pagado con',
  date: 'Fecha',
  seller: 'Vendido por',
  free: 'Gratis',
  support: '¿Tienes preguntas sobre esta compra? Contacta con {seller} e indica el número de pedido.',
  sandbox: 'Esto fue una prueba. No se ha cobrado dinero real.',
  automatic: 'Este mensaje se envió automáticamente porque se indicó esta dirección al pagar.',
};
