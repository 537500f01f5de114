import { METHODS } from '../../../method-table.ts';

/** Wallets around a card are cards to Stripe. All other methods it calls as we do. */
const IN_CARD: readonly string[] = ['apple_pay', 'google_pay'];

export const typeOf = (method: string): string => (IN_CARD.includes(method) ? 'card' : method);

/** Stripe's type and the wallet around a card, as the word that our table has for it. */
export function methodOf(type: string, wallet: string | null = null): string {
  if (wallet !== null && IN_CARD.includes(wallet)) return wallet;
  return METHODS.find(({ id }) => typeOf(id) === type)?.id ?? type;
}
