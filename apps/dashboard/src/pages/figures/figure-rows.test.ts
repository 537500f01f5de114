import { expect, it } from 'vitest';
import { csvOf, fileName } from '../../ui/figures/export-figure.ts';
import { adviceFor, beforeFrom, cohortShares, localHour, shareRows } from './figure-rows.ts';

it.each([
  ['2051', 'funds'],
  ['insufficient_funds', 'funds'],
  ['expired_card', 'expired'],
  ['incorrect_cvc', 'typed'],
  ['payment_intent_authentication_failure', 'secure'],
  ['stolen_card', 'stolen'],
  ['fraudulent', 'fraud'],
  ['card_velocity_exceeded', 'limit'],
  ['provider_not_connected', 'setup'],
  ['16', 'bank'],
  ['', 'bank'],
])('a decline with %s is met with advice about %s', (code, advice) => {
  expect(adviceFor(code)).toBe(advice);
});

it('a share without anything to share is none, and what is not known opens no list', () => {
  const named = {
    name: (key: string) => key || 'unknown',
    to: 'transactions',
    search: (key: string) => ({ method: key }),
  };
  const rows = shareRows(
    [
      { key: 'card', of: 4, reached: 3, of_before: 0, reached_before: 0 },
      { key: '', of: 0, reached: 0, of_before: 2, reached_before: 1 },
    ],
    named,
  );
  expect(rows[0]).toMatchObject({
    values: ['card', 4, 0.75, ''],
    bar: 0.75,
    to: 'transactions',
    search: { method: 'card' },
  });
  expect(rows[1]).not.toHaveProperty('to');
});

it('a file for a spreadsheet holds plain numbers, quotes what needs it and no formula', () => {
  const rows = [{ cells: ['a, "b"', '1,000'], values: ['a, "b"', 1_000] }, { cells: ['=1+1', '2'] }];
  const lines = csvOf({ title: 'x', columns: ['Name', 'Count'], rows }).split('\r\n');
  expect(lines).toEqual(['Name,Count', '"a, ""b""",1000', "'=1+1,2"]);
  expect(fileName('Umsatz nach Land: 2026', 'png')).toBe('umsatz-nach-land-2026.png');
});

it.each(['  =1+1', '\u200b=1', '＝1+1', '|cmd', '%0', '−1', 'gold;=1+1'])(
  'and none that a spreadsheet reads as one all the same: %j (row 237)',
  cell => {
    const [, line] = csvOf({ title: 'x', columns: ['Name'], rows: [{ cells: [cell] }] }).split('\r\n');
    expect(line).toBe(cell.includes(';') ? `"${cell}"` : `'${cell}`);
  },
);

it('hours are those of the viewer, and a year before is the same day', () => {
  expect(localHour(23, 60)).toBe(0);
  expect(localHour(0, -300)).toBe(19);
  expect(beforeFrom('year', '2024-02-29')).toBe('2023-02-28');
  expect(beforeFrom('2026-01-05', '2026-05-05')).toBe('2026-01-05');
  expect(beforeFrom('nonsense', '2026-05-05')).toBeUndefined();
});

it('a cohort is shown by the share that came back', () => {
  const cohorts = [{ month: '2026-04', buyers: [10, 5, 0] }];
  expect(cohortShares({ cohorts })).toEqual([{ month: '2026-04', size: 10, shares: [0.5, 0] }]);
});
