import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DELIVERY_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { ORDER_PHASES } from '../../order/order.ts';

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
const SERVER = 'apps/server/src/';

/** Where statuses may be listed: the two life cycles, the table over both, and what a provider calls its own charges. */
const TABLES = [
  'domain/order/order.ts',
  'domain/payment/payment.ts',
  'domain/purchase/table/',
  'domain/payment/providers/',
]
  .map(path => SERVER + path)
  // Generated from those.
  .concat('packages/sdk/src/word-shapes.ts');

const STATUSES: ReadonlySet<string> = new Set([...ORDER_STATUSES, ...PAYMENT_STATUSES, ...ORDER_PHASES, 'orphaned']);
/** Some words are statuses of deliveries too; a list of nothing else is about those. */
const OF_DELIVERIES: ReadonlySet<string> = new Set(DELIVERY_STATUSES);

/** `['a', 'b']`, `('a', 'b')` of a statement, `=== 'a' || … === 'b'`, `case 'a': case 'b':`, `'a' | 'b'`. */
const LISTS = [
  /'\w+'(?:,\s*'\w+')+/g,
  /([\w.?!]+) [!=]== '\w+'(?:\s*(?:\|\||&&)\s*\1 [!=]== '\w+')+/g,
  /case '\w+':(?:\s*case '\w+':)+/g,
  /'\w+'(?:\s*\|\s*'\w+')+/g,
];

function listsIn(text: string): string[] {
  return LISTS.flatMap(list => text.match(list) ?? []).filter(found => {
    const words = [...found.matchAll(/'(\w+)'/g)].map(match => match[1]!);
    return words.every(word => STATUSES.has(word)) && !words.every(word => OF_DELIVERIES.has(word));
  });
}

/** The page has states of its own, some of which are called as a status is. */
const FOLDERS = [SERVER, 'apps/dashboard/src/', 'packages/sdk/src/', 'packages/cli/src/', 'packages/exam/src/'];

const sources = FOLDERS.flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => folder + path),
).filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !TABLES.some(table => path.startsWith(table)));

describe('a list of statuses', () => {
  it('is nowhere but in the tables, so that no rule of money is written twice', () => {
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.flatMap(path =>
      listsIn(readFileSync(join(ROOT, path), 'utf8')).map(list => `${path}: ${list.replaceAll(/\s+/g, ' ')}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    "const GRANTABLE = ['authorized', 'paid'];",
    "where status in ('succeeded', 'disputed')",
    "if (order.status === 'refunded' || order.status === 'charged_back') return;",
    "if (status !== 'paid' && status !== 'disputed') return;",
    "switch (status) {\n    case 'voided':\n    case 'refunded':",
    "type Over = 'rejected' | 'expired';",
  ])('is found: %s', text => {
    expect(listsIn(text)).toHaveLength(1);
  });

  it('is not meant by the statuses of deliveries or by other words', () => {
    expect(listsIn("['pending', 'blocked', 'held'], ['canceled', 'declined'], ['refund', 'paid', 'thanks']")).toEqual(
      [],
    );
  });
});
