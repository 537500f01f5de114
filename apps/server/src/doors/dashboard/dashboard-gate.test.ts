import { expect, it } from 'vitest';
import { spokenLanguage } from './dashboard-gate.ts';

it.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-US,en;q=0.9,de;q=0.8', 'en'],
  ['fr, de;q=0.2, en;q=0.1', 'de'],
  ['de;q=0, en', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  [';;;q=,,', 'en'],
  ['x'.repeat(100_000), 'en'],
  [undefined, 'en'],
])('%s is answered in %s', (header, language) => {
  expect(spokenLanguage(header)).toBe(language);
});
