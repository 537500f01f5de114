import type { CardBrand } from '../base/card.ts';

export interface TestCard {
  number: string;
  brand: CardBrand;
  country: string;
  /** What the simulator does with it. */
  behavior: CardBehavior;
  /** For people: the docs and the payment page show it. */
  meaning: string;
}

export type CardBehavior =
  | { kind: 'approve' }
  | { kind: 'decline'; code: string; description: string }
  | { kind: 'challenge' }
  | { kind: 'dispute_lost' }
  | { kind: 'dispute_won' }
  /** The bank waits for evidence, and decides by whether it came. */
  | { kind: 'dispute_evidence' }
  /** The bank asks before it disputes: a refund ends it. */
  | { kind: 'inquiry' }
  /** A dispute in a state that is not known here. */
  | { kind: 'dispute_unclear' }
  /** The first refund fails at the bank. */
  | { kind: 'refund_fails' };

const approve = { kind: 'approve' } as const;
const decline = (code: string, description: string): CardBehavior => ({ kind: 'decline', code, description });

/** Every card that sandbox knows. Any CVV of the right length, any future expiry, any postal code. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', country: 'GB', behavior: approve, meaning: 'Succeeds' },
  { number: '4111111111111111', brand: 'visa', country: 'PL', behavior: approve, meaning: 'Succeeds' },
  { number: '4744055665204795', brand: 'visa', country: 'US', behavior: approve, meaning: 'Succeeds' },
  { number: '5490529068766884', brand: 'mastercard', country: 'GB', behavior: approve, meaning: 'Succeeds' },
  { number: '5481699644486744', brand: 'mastercard', country: 'PT', behavior: approve, meaning: 'Succeeds' },
  { number: '370000000000002', brand: 'amex', country: 'US', behavior: approve, meaning: 'Succeeds' },
  { number: '6011111111111117', brand: 'discover', country: 'US', behavior: approve, meaning: 'Succeeds' },
  { number: '3530111333300000', brand: 'jcb', country: 'JP', behavior: approve, meaning: 'Succeeds' },
  declining('4832285061609015', decline('16', 'Payment declined')),
  declining('4211127262112418', decline('2051', 'Insufficient funds')),
  declining('4411588321713124', decline('3041', 'Lost card')),
  declining('4178131827309866', decline('3043', 'Stolen card')),
  declining('4867053716965705', decline('2054', 'Expired card')),
  {
    number: '4224703082575813',
    brand: 'visa',
    country: 'GB',
    behavior: { kind: 'challenge' },
    meaning: 'Asks for 3-D Secure',
  },
  later('4000000000000267', 'dispute_lost', 'Succeeds, then a dispute is lost'),
  later('4000000000002685', 'dispute_won', 'Succeeds, then a dispute is won'),
  later('4000000000000259', 'dispute_evidence', 'Succeeds, then a dispute waits for evidence'),
  later('4000000000001976', 'inquiry', 'Succeeds, then the bank asks before it disputes'),
  later('4000000000000341', 'dispute_unclear', 'Succeeds, then a dispute stays unclear'),
  later('4000000000005126', 'refund_fails', 'Succeeds; the first refund fails at the bank'),
];

function later(number: string, kind: Exclude<CardBehavior['kind'], 'decline'>, meaning: string): TestCard {
  return { number, brand: 'visa', country: 'US', behavior: { kind }, meaning };
}

function declining(number: string, behavior: CardBehavior): TestCard {
  const meaning = behavior.kind === 'decline' ? `Declines: ${behavior.description} (${behavior.code})` : '';
  return { number, brand: 'visa', country: 'GB', behavior, meaning };
}

const byNumber = new Map(TEST_CARDS.map(card => [card.number, card]));

export const findTestCard = (digits: string): TestCard | undefined => byNumber.get(digits);

/** `4242 4242 4242 4242`, the way it is printed. American Express groups 4-6-5. */
export const printedNumber = ({ number, brand }: Pick<TestCard, 'number' | 'brand'>): string =>
  brand === 'amex' ? number.replace(/^(.{4})(.{6})/, '$1 $2 ') : number.replace(/(.{4})(?=.)/g, '$1 ');
