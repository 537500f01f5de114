import { expect, it } from 'vitest';
import { forTransactionPooler, MONEY_LIMITS } from './session.ts';

const options = { limits: MONEY_LIMITS, fixedPlans: true };

it('behind a pooler that shares sessions by transaction, limits go with each transaction and nothing is left behind', () => {
  const begun = forTransactionPooler('begin; set local lock_timeout = 250', options) as string;
  expect(begun).toMatch(/^begin; set local enable_seqscan = 'off'; .*set local statement_timeout = '8000'/);
  // The shorter limit of a shared transaction comes last, so it counts.
  expect(begun.lastIndexOf('lock_timeout = 250')).toBeGreaterThan(begun.indexOf(`lock_timeout = '3000'`));
  expect(begun.match(/\bset (?!local)/)).toBeNull();
  expect(forTransactionPooler('commit', options)).toBe('commit');
  expect(forTransactionPooler({ name: 'order_find', text: 'select 1', values: [] }, options)).toEqual({
    name: undefined,
    text: 'select 1',
    values: [],
  });
});
