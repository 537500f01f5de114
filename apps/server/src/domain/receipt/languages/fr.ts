import type { ReceiptWords } from './receipt-words.ts';

export const fr: ReceiptWords = {
  direction: 'ltr',
  subject: 'Votre reçu de {game} : {amount}',
  heading: 'Merci pour votre achat',
  total: 'Total',
  order: 'Commande',
  payment: 'Paiement',
  paidWith: 'Payé avec',
  date: 'Date',
  seller: 'Vendu par',
  free: 'Gratuit',
  support: 'Une question sur cet achat ? Contactez {seller} en indiquant le numéro de commande.',
  sandbox: 'Ceci était un test. Aucun argent réel n’a été débité.',
  automatic: 'Ce message a été envoyé automatiquement, car cette adresse a été saisie lors du paiement.',
};
