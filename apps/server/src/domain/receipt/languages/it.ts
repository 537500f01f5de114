import type { ReceiptWords } from './receipt-words.ts';

export const it: ReceiptWords = {
  direction: 'ltr',
  subject: 'La tua ricevuta di {game}: {amount}',
  heading: 'Grazie per il tuo acquisto',
  total: 'Totale',
  order: 'Ordine',
  payment: 'Pagamento',
  paidWith: 'Pagato con',
  date: 'Data',
  seller: 'Venduto da',
  free: 'Gratis',
  support: 'Domande su questo acquisto? Contatta {seller} e indica il numero dell’ordine.',
  sandbox: 'Questo era un test. Non è stato addebitato denaro reale.',
  automatic:
    'Questo messaggio è stato inviato automaticamente perché questo indirizzo è stato inserito al momento del pagamento.',
};
