import { describe, expect, test } from 'vitest';
import { addressOf } from './address.ts';
import {
  changedFilters,
  choiceText,
  isFiltered,
  pageQuery,
  pickFilters,
  readSearch,
  textFilters,
  toggleChoice,
  writeSearch,
} from './filters.ts';
import { filledIn, isSame, orNull } from './forms.ts';

describe('an address of the server', () => {
  test('has its names filled in and leaves out what is empty', () => {
    const params = { game_id: 'game_1', mode: 'live', sku: 'a/b c' };
    const query = { q: 'x&y', status: '', limit: 50, cursor: undefined, tags: ['a', 'b'], none: null };
    expect(addressOf('/games/{game_id}/{mode}/items/{sku}', { params, query })).toBe(
      '/games/game_1/live/items/a%2Fb%20c?q=x%26y&limit=50&tags=a&tags=b',
    );
    expect(addressOf('/me', {})).toBe('/me');
  });
});

describe('filters in the address', () => {
  test('come back as they were written', () => {
    const filters = { status: 'declined,refunded', q: 'a&b=c', range: '2026-01-01..2026-01-31', player_id: 'שחקן' };
    expect(readSearch(writeSearch(filters))).toEqual(filters);
  });

  test('that are not set leave no trace', () => {
    expect(writeSearch({ status: undefined })).toBe('');
    expect(textFilters({ status: 'paid', page: 2, deep: { a: 1 } })).toEqual({ status: 'paid' });
  });

  test('lose the cursor when one of them changes, and keep the rest', () => {
    const before = { status: 'paid', cursor: 'c_2' };
    expect(changedFilters(before, { q: 'mira' })).toEqual({ status: 'paid', cursor: undefined, q: 'mira' });
    expect(changedFilters(before, { cursor: 'c_3' })).toEqual({ status: 'paid', cursor: 'c_3' });
  });

  test('are sent only by the names a list knows', () => {
    const filters = { q: 'mira', status: '', foo: 'bar', cursor: 'c_2' };
    expect(pickFilters(filters, 'q', 'status')).toEqual({ q: 'mira' });
    expect(pageQuery(filters, 'q', 'status')).toEqual({ limit: 50, q: 'mira', cursor: 'c_2' });
    expect(pageQuery({})).toEqual({ limit: 50 });
  });

  test('decide between "nothing yet" and "no results"', () => {
    expect(isFiltered({}, ['q'])).toBe(false);
    expect(isFiltered({ foo: 'bar' }, ['q'])).toBe(false);
    expect(isFiltered({ q: 'mira' }, ['q'])).toBe(true);
    expect(isFiltered({ cursor: 'c_2' }, ['q'])).toBe(true);
  });
});

describe('the choices of a filter', () => {
  const choices = [
    { value: 'paid', label: 'Paid' },
    { value: 'expired', label: 'Expired' },
  ];

  test('are added and removed one by one', () => {
    expect(toggleChoice(undefined, 'paid', true, true)).toBe('paid');
    expect(toggleChoice('paid', 'expired', true, true)).toBe('paid,expired');
    expect(toggleChoice('paid,expired', 'paid', false, true)).toBe('expired');
    expect(toggleChoice('paid', 'paid', true, true)).toBe('paid');
    expect(toggleChoice('paid', 'paid', false, true)).toBe('');
  });

  test('replace each other where only one is possible', () => {
    expect(toggleChoice('paid', 'expired', true, false)).toBe('expired');
  });

  test('are named, and a value of an old link is shown as it is', () => {
    expect(choiceText('paid,expired', choices)).toBe('Paid, Expired');
    expect(choiceText('paid,gone', choices)).toBe('Paid, gone');
    expect(choiceText('player-1')).toBe('player-1');
  });
});

describe('a form', () => {
  test('sends null for an empty field', () => {
    expect(orNull('  ')).toBeNull();
    expect(orNull(' a ')).toBe('a');
  });

  test('sends only what was filled in, where empty means unchanged', () => {
    expect(filledIn({ secret_key: ' sk_1 ', callback_secret: '  ' })).toEqual({ secret_key: 'sk_1' });
  });

  test('has nothing to save until a field differs from what is saved', () => {
    const saved = { name: 'Castle', icon_url: null, id: 'game_1' };
    expect(isSame({ name: 'Castle', icon_url: null }, saved)).toBe(true);
    expect(isSame({ name: 'Castle', icon_url: 'https://x.example/i.png' }, saved)).toBe(false);
    expect(isSame({ name: 'Castle ', icon_url: null }, saved)).toBe(false);
  });
});
