import { beforeAll, describe, expect, test } from 'vitest';
import { setLanguage } from '../texts/texts.ts';
import { brandName, methodName } from './cells.tsx';
import { figureSize } from './figure.tsx';
import { rangeText } from './list/filter-bar.tsx';
import { changedSelection, idsBetween } from './list/selection.tsx';
import { panelPosition } from './overlay/use-floating.ts';
import { deliveryState, rowName, statusText } from './status.tsx';
import { stepIndex } from './step-index.ts';

beforeAll(() => setLanguage('en'));

describe('a total', () => {
  test('is written smaller the longer it is, because a cut number is a wrong one', () => {
    const sizes = ['$4.99', '$12,345.67', 'HUF 12,345,678.00'].map(figureSize);
    expect(new Set(sizes).size).toBe(3);
  });
});

describe('the link of a row', () => {
  test('begins with the amount that is seen and says whose it is', () => {
    const row = { amount: 499, currency: 'USD', status: 'declined', player_id: 'ann' };
    expect(rowName('payment', row)).toBe('$4.99, Declined, ann');
  });
});

describe('a panel beside its button', () => {
  const viewport = { width: 400, height: 600 };
  const panel = { left: 0, top: 0, width: 200, height: 300 };

  test('stands below it, aligned as wanted', () => {
    const trigger = { left: 20, top: 50, width: 80, height: 30 };
    expect(panelPosition(trigger, panel, viewport, 'start')).toMatchObject({ left: 20, top: 84 });
    expect(panelPosition({ ...trigger, left: 300 }, panel, viewport, 'end')).toMatchObject({ left: 180, top: 84 });
  });

  test('never leaves the window', () => {
    expect(panelPosition({ left: 390, top: 50, width: 80, height: 30 }, panel, viewport, 'start').left).toBe(192);
    expect(panelPosition({ left: 0, top: 50, width: 20, height: 30 }, panel, viewport, 'end').left).toBe(8);
  });

  test('goes above where there is more space', () => {
    expect(panelPosition({ left: 20, top: 550, width: 80, height: 30 }, panel, viewport, 'start').top).toBe(246);
  });
});

describe('an arrow key', () => {
  test.each([
    ['ArrowDown', 0, 'stop', 1],
    ['ArrowDown', 2, 'stop', 2],
    ['ArrowDown', 2, 'wrap', 0],
    ['ArrowDown', -1, 'wrap', 0],
    ['ArrowUp', 0, 'stop', 0],
    ['ArrowUp', 0, 'wrap', 2],
    ['ArrowUp', 2, 'wrap', 1],
    ['Home', 2, 'stop', 0],
    ['End', 0, 'wrap', 2],
    ['x', 1, 'wrap', undefined],
  ] as const)('%s from %d of three, with ends that %s, leads to %s', (key, at, ends, next) => {
    expect(stepIndex(key, at, 3, ends)).toBe(next);
  });

  test('leads nowhere in an empty list', () => {
    expect(stepIndex('ArrowDown', -1, 0, 'wrap')).toBeUndefined();
    expect(stepIndex('End', -1, 0, 'stop')).toBeUndefined();
  });
});

describe('chosen rows', () => {
  test('are added and taken away, and no more than one call can name', () => {
    expect([...changedSelection(new Set(['a', 'b']), ['b', 'c'], true)]).toEqual(['a', 'b', 'c']);
    expect([...changedSelection(new Set(['a', 'b']), ['b', 'c'], false)]).toEqual(['a']);
    const many = Array.from({ length: 250 }, (_, at) => String(at));
    expect(changedSelection(new Set(), many, true).size).toBe(200);
  });

  test('reach from the last one to this one, up or down', () => {
    const ids = ['a', 'b', 'c', 'd'];
    expect(idsBetween(ids, 'b', 'd')).toEqual(['b', 'c', 'd']);
    expect(idsBetween(ids, 'd', 'b')).toEqual(['b', 'c', 'd']);
    expect(idsBetween(ids, undefined, 'c')).toEqual(['c']);
    expect(idsBetween(ids, 'of another page', 'c')).toEqual(['c']);
  });
});

describe('words of the server', () => {
  test('are shown by our name where we have one', () => {
    expect(statusText('order', 'authorized')).toBe('Waiting for game');
    expect(statusText('payment', 'authorized')).toBe('Authorized');
    expect(statusText('order', 'failed')).toBe('Failed');
    expect(brandName('amex')).toBe('Amex');
    expect(methodName('apple_pay')).toBe('Apple Pay');
  });

  test('that are new are shown as they are', () => {
    expect(statusText('payment', 'teleported')).toBe('teleported');
    expect(brandName('newcard')).toBe('newcard');
    expect(methodName('carrier_pigeon')).toBe('carrier_pigeon');
  });

  test('a delivery that was refused once and waits is being retried', () => {
    expect(deliveryState({ status: 'pending', attempts_made: 0 })).toBe('pending');
    expect(deliveryState({ status: 'pending', attempts_made: 1 })).toBe('retrying');
    expect(deliveryState({ status: 'succeeded', attempts_made: 3 })).toBe('succeeded');
  });
});

describe('the chip of a period', () => {
  test('names a word and shows two days', () => {
    expect(rangeText('7d')).toBe('Last 7 days');
    expect(rangeText('2026-01-01..2026-01-31')).toBe('2026-01-01 – 2026-01-31');
  });
});
