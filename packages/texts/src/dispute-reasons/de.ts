import type { TextsOf } from '../catalog.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  credit_not_processed: 'Eine zugesagte Erstattung kam nicht an',
  duplicate: 'Doppelt belastet',
  duplicate_transaction: 'Doppelt belastet',
  fraudulent: 'Der Karteninhaber hat sie nicht freigegeben',
  general: 'Kein Grund genannt',
  merchandise_or_service_not_as_described: 'Nicht wie beschrieben',
  merchandise_or_service_not_received: 'Nicht erhalten',
  product_not_received: 'Nicht erhalten',
  product_unacceptable: 'Nicht wie beschrieben',
  subscription_canceled: 'Nach einer Kündigung belastet',
  unauthorized: 'Der Kontoinhaber hat sie nicht freigegeben',
  unrecognized: 'Der Karteninhaber erkennt sie nicht',
};
