import type { ReceiptWords } from './receipt-words.ts';

export const de: ReceiptWords = {
  direction: 'ltr',
  subject: 'Ihr Beleg von {game}: {amount}',
  heading: 'Vielen Dank für Ihren Kauf',
  total: 'Gesamt',
  order: 'Bestellung',
  payment: 'Zahlung',
  paidWith: 'Bezahlt mit',
  date: 'Datum',
  seller: 'Verkauft von',
  free: 'Kostenlos',
  support: 'Fragen zu diesem Kauf? Wenden Sie sich an {seller} und nennen Sie die Bestellnummer.',
  sandbox: 'Dies war ein Test. Es wurde kein echtes Geld abgebucht.',
  automatic: 'Diese Nachricht wurde automatisch gesendet, weil diese Adresse beim Bezahlen angegeben wurde.',
};
