import { expect, it } from 'vitest';
import { find } from './search.js';

interface Entry {
  page: string;
  heading: string;
  text: string;
}

const INDEX: Entry[] = [
  { page: 'Receive webhooks', heading: 'Decline a purchase', text: 'A 4xx with declined rejects the order.' },
  { page: 'Handle errors', heading: 'Retry without duplicates', text: 'Use an Idempotency-Key for each purchase.' },
  { page: 'Refunds and chargebacks', heading: 'Refund an order', text: 'The refund starts at once.' },
];

const headings = (query: string): string[] => (find(INDEX, query) as Entry[]).map(({ heading }) => heading);

it('finds words in headings before words in text', () => {
  expect(headings('refund')[0]).toBe('Refund an order');
  expect(headings('purchase')).toEqual(['Decline a purchase', 'Retry without duplicates']);
});

it.each([
  ['webhok', 'Decline a purchase'],
  ['refnud', 'Refund an order'],
  ['idempotncy', 'Retry without duplicates'],
  ['chargbacks refund', 'Refund an order'],
  ['Dupplicates', 'Retry without duplicates'],
])('forgives the typing error in “%s”', (query, heading) => {
  expect(headings(query)[0]).toBe(heading);
});

it('finds nothing where nothing is near, and guesses no short words', () => {
  expect(headings('kubernetes')).toEqual([]);
  expect(headings('xyz')).toEqual([]);
  expect(headings('')).toEqual([]);
});
