import { expect, test } from 'vitest';
import { lastSnoozeDay, snoozeDay, snoozeUntil } from './snooze.ts';

const NOW = new Date(2026, 0, 30, 22);

test('a snooze ends on the morning of a day, over the end of a month too', () => {
  expect(snoozeDay(1, NOW)).toBe('2026-01-31');
  expect(snoozeDay(3, NOW)).toBe('2026-02-02');
  expect(snoozeUntil('2026-02-02')).toBe(new Date(2026, 1, 2, 9).getTime() / 1_000);
});

test('the last day lies within the 90 days of the server, and no day is no time', () => {
  const last = snoozeUntil(lastSnoozeDay(NOW))! * 1_000;
  expect(last - NOW.getTime()).toBeLessThan(90 * 86_400_000);
  expect(snoozeUntil('')).toBeNull();
});
