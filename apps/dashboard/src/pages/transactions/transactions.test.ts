import { TIMELINE_KINDS, type TimelineEntry } from '@coinslot/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { setLanguage, tryText } from '../../texts/texts.ts';
import { aboutOf, isShown, titleOf } from './timeline-text.ts';
import { fileColumns, transactionQuery } from './transaction-filters.ts';

beforeAll(() => setLanguage('en'));

describe('the filters of transactions', () => {
  const now = new Date(2026, 4, 20, 15);

  test('become the question to the server, amounts in minor units', () => {
    const filters = { status: 'declined,refunded', amount: '5..20', currency: 'JPY', range: 'today', q: 'mira' };
    expect(transactionQuery(filters, now)).toEqual({
      status: 'declined,refunded',
      currency: 'JPY',
      q: 'mira',
      amount_from: 5,
      amount_to: 20,
      created_from: new Date(2026, 4, 20).getTime() / 1_000,
    });
  });

  test('count an amount without a currency with two decimals', () => {
    expect(transactionQuery({ amount: '5..' }, now)).toEqual({ amount_from: 500 });
  });

  test('that this version does not know, or cannot read, are not sent', () => {
    expect(transactionQuery({ color: 'red', amount: 'lots', range: 'soon', status: '' }, now)).toEqual({});
  });
});

describe('the CSV file', () => {
  const always = ['order_id', 'items', 'email', 'refunded_at', 'refund_reason', 'returned_amount'];

  test('holds the columns of the list, and always order, items, address and refund', () => {
    const shown = ['payment_id', 'amount', 'currency', 'method', 'brand', 'last4'];
    expect(fileColumns(['amount', 'method'])).toEqual([...shown, ...always]);
    expect(fileColumns([])).toEqual(['payment_id', ...always]);
  });

  test('names no column twice and none that it does not know', () => {
    expect(fileColumns(['payment', 'time', 'order', 'no_such_column'])).toEqual([
      'payment_id',
      'created_at',
      ...always,
    ]);
  });
});

describe('every kind of entry in the timeline', () => {
  const ends = ['succeeded', 'declined', 'exhausted', 'canceled'];
  const keysOf = (kind: string): string[] => {
    if (kind === 'person') return ['timeline.formerMember'];
    if (kind.endsWith('.attempt')) return ['yes', 'no'].map(one => `timeline.${kind}.${one}`);
    return kind.endsWith('.end') ? ends.map(one => `timeline.${kind}.${one}`) : [`timeline.${kind}`];
  };

  test.each(TIMELINE_KINDS.flatMap(keysOf))('is put into words: %s', key => {
    expect(tryText(key)).toBeDefined();
  });
});

describe('an entry of the timeline', () => {
  const entry = (fields: Partial<TimelineEntry> | { kind: string }): TimelineEntry =>
    ({
      at: 0,
      status: null,
      code: null,
      detail: null,
      duration_ms: null,
      attempt: null,
      actor: null,
      action: null,
      ...fields,
    }) as TimelineEntry;

  test.each([
    [{ kind: 'order.paid' }, 'Purchase complete'],
    [{ kind: 'payment.succeeded' }, 'The money was captured'],
    [{ kind: 'item.add.attempt', status: '200', attempt: 2 }, 'Your game granted the items (attempt 2)'],
    [{ kind: 'item.add.attempt', status: '302', attempt: 1 }, 'Your game did not grant the items (attempt 1)'],
    [{ kind: 'item.remove.attempt' }, 'Your game did not revoke the items (attempt 1)'],
    [{ kind: 'item.add.end', status: 'exhausted' }, 'Your game did not answer, so we stopped asking'],
    [{ kind: 'person', actor: 'Mira', action: 'payment.refund_requested' }, 'Mira: Refund requested'],
    [{ kind: 'person', action: 'payment.teleported' }, 'Former member: payment.teleported'],
    [{ kind: 'weather.changed' }, 'weather.changed'],
    [{ kind: 'item.add.end', status: 'vanished' }, 'item.add.end'],
  ])('%j is titled %j', (fields, title) => {
    expect(titleOf(entry(fields))).toBe(title);
  });

  test('says what came back and how long it took', () => {
    const attempt = { kind: 'item.add.attempt' as const, status: '503', detail: 'inventory down', duration_ms: 1_500 };
    expect(aboutOf(entry(attempt))).toEqual(['HTTP 503', 'inventory down', '1.5 s']);
    expect(aboutOf(entry({ kind: 'item.add.attempt' }))).toEqual(['No answer']);
    expect(aboutOf(entry({ kind: 'payment.declined', code: '51', detail: 'Insufficient funds' }))).toEqual([
      '51',
      'Insufficient funds',
    ]);
    expect(aboutOf(entry({ kind: 'order.paid' }))).toEqual([]);
  });

  test('of a game that said yes is not repeated', () => {
    expect(isShown(entry({ kind: 'item.add.end', status: 'succeeded' }))).toBe(false);
    expect(isShown(entry({ kind: 'item.add.end', status: 'declined' }))).toBe(true);
    expect(isShown(entry({ kind: 'order.paid', status: 'succeeded' }))).toBe(true);
  });

  test('leaves out words that only repeat in English what stands there', () => {
    expect(aboutOf(entry({ kind: 'item.add', detail: 'Player ann bought these items.' }))).toEqual([]);
    expect(aboutOf(entry({ kind: 'item.add.attempt', status: '503', detail: 'answered 503' }))).toEqual(['HTTP 503']);
    const moved = 'answered 308, redirects are not followed';
    expect(aboutOf(entry({ kind: 'item.add.attempt', status: '308', detail: moved }))).toEqual(['HTTP 308', moved]);
  });
});
