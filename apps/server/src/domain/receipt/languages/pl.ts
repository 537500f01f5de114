import type { ReceiptWords } from './receipt-words.ts';

export const pl: ReceiptWords = {
  direction: 'ltr',
  subject: 'Potwierdzenie zakupu w {game}: {amount}',
  heading: 'Dziękujemy za zakup',
  total: 'Razem',
  order: 'Zamówienie',
  payment: 'Płatność',
  paidWith: 'Metoda płatności',
  date: 'Data',
  seller: 'Sprzedawca',
  free: 'Za darmo',
  support: 'Masz pytania dotyczące tego zakupu? Skontaktuj się z {seller} i podaj numer zamówienia.',
  sandbox: 'To był test. Nie pobrano prawdziwych pieniędzy.',
  automatic: 'Ta wiadomość została wysłana automatycznie, ponieważ ten adres podano przy płatności.',
};
