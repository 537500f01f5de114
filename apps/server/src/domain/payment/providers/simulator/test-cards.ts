import { reasonOf } from '@coinslot/texts/reasons';
import type { CardBrand } from '../base/card.ts';

export interface TestCard {
  number: string;
  brand: CardBrand;
  country: string;
  behavior: CardBehavior;
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

const card = (
  number: string,
  brand: CardBrand,
  country: string,
  kind: Exclude<CardBehavior['kind'], 'decline'>,
): TestCard => ({ number, brand, country, behavior: { kind } });

const declined = (number: string, code: string): TestCard => ({
  number,
  brand: 'visa',
  country: 'GB',
  behavior: { kind: 'decline', code, description: reasonOf('simulator.decline', code)! },
});

/** Every card that sandbox knows. Any CVV of the right length, any future expiry, any postal code. */
export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'visa', 'GB', 'approve'),
  card('4111111111111111', 'visa', 'PL', 'approve'),
  card('4744055665204795', 'visa', 'US', 'approve'),
  card('5490529068766884', 'mastercard', 'GB', 'approve'),
  card('5481699644486744', 'mastercard', 'PT', 'approve'),
  card('370000000000002', 'amex', 'US', 'approve'),
  card('6011111111111117', 'discover', 'US', 'approve'),
  card('3530111333300000', 'jcb', 'JP', 'approve'),
  declined('4832285061609015', '16'),
  declined('4211127262112418', '2051'),
  declined('4411588321713124', '3041'),
  declined('4178131827309866', '3043'),
  declined('4867053716965705', '2054'),
  card('4224703082575813', 'visa', 'GB', 'challenge'),
  card('4000000000000267', 'visa', 'US', 'dispute_lost'),
  card('4000000000002685', 'visa', 'US', 'dispute_won'),
  card('4000000000000259', 'visa', 'US', 'dispute_evidence'),
  card('4000000000001976', 'visa', 'US', 'inquiry'),
  card('4000000000000341', 'visa', 'US', 'dispute_unclear'),
  card('4000000000005126', 'visa', 'US', 'refund_fails'),
];

const byNumber = new Map(TEST_CARDS.map(known => [known.number, known]));

export const findTestCard = (digits: string): TestCard | undefined => byNumber.get(digits);

/** `4242 4242 4242 4242`, the way it is printed. American Express groups 4-6-5. */
export const printedNumber = ({ number, brand }: Pick<TestCard, 'number' | 'brand'>): string =>
  brand === 'amex' ? number.replace(/^(.{4})(.{6})/, '$1 $2 ') : number.replace(/(.{4})(?=.)/g, '$1 ');
