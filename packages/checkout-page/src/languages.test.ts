import { expect, test } from 'vitest';
import { speak } from './languages.ts';

test('a name in the other direction cannot turn the words around it', () => {
  expect(speak('en')('for_player', { player: 'ليلى' })).toBe('For \u2068ليلى\u2069');
  expect(speak('en')('for_player', { player: '\u202egnp' })).toBe('For \u2068\u202egnp\u2069');
  expect(speak('ar')('back_to_game', { game: 'Tiny' })).toContain('\u2068Tiny\u2069');
});

test('a value that looks like a hole is left as it is', () => {
  expect(speak('en')('back_to_game', { game: '{amount} $& $1' })).toBe('Back to {amount} $& $1');
});
