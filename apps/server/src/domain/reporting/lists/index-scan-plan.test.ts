import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_IDS, type Range, scanStatement, updateScanSettings } from './index-scan.sql.ts';
import type { TransactionFilter } from './transaction-filter.ts';
import { everythingPath, exactPaths, pathsFor } from './transaction-paths.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database?.drop());

const NOTHING: TransactionFilter = {
  q: null,
  statuses: [],
  method: null,
  brand: null,
  country: null,
  currency: null,
  amountFrom: null,
  amountTo: null,
  responseCode: null,
  playerId: null,
  needsAttention: false,
  bounds: ALL_IDS,
};

const planOf = async (range: Range, analyze = false): Promise<string> => {
  const statement = scanStatement({
    columns: 'id, status',
    range,
    bounds: { below: 'pay_5', from: 'pay_0' },
    conditions: [{ text: 'amount_minor > ?', values: [5] }],
    limit: 21,
    mostScanned: 2_500,
  });
  const rows = await database.db.transaction(async tx => {
    updateScanSettings(tx);
    const text = `explain ${analyze ? '(analyze, timing off, summary off)' : '(costs off)'} ${statement.text}`;
    return tx.query<{ 'QUERY PLAN': string }>({ ...statement, text });
  });
  return rows.map(row => row['QUERY PLAN']).join('\n');
};

const ENVIRONMENT = 'env_a';
const ranges: [string, Range][] = [
  ['payments_pkey', everythingPath(ENVIRONMENT).ranges[0]!.range],
  ...(
    [
      ['payments_by_stage', { statuses: ['declined'] }],
      ['payments_settled_by_method', { method: 'card' }],
      ['payments_settled_by_brand', { brand: 'visa' }],
      ['payments_settled_by_country', { country: 'GB' }],
      ['payments_settled_by_currency', { currency: 'USD' }],
      ['payments_settled_by_code', { responseCode: '16' }],
      ['payments_settled_by_amount', { amountFrom: 5, amountTo: 5 }],
      ['payments_by_player', { playerId: 'player_1' }],
      ['payments_needing_attention', { needsAttention: true }],
    ] as [string, Partial<TransactionFilter>][]
  ).map(([index, filter]): [string, Range] => [
    index,
    pathsFor(ENVIRONMENT, { ...NOTHING, ...filter })[0]!.ranges[0]!.range,
  ]),
  ['payments_settled_by_email', exactPaths(ENVIRONMENT, 'x@y')[1]!.ranges[0]!.range],
  [
    'orders_by_stage',
    {
      table: 'orders',
      prefix: [
        { column: 'stage', value: 'paid' },
        { column: 'environment_id', value: ENVIRONMENT },
      ],
      predicate: `stage <> 'created'`,
    },
  ],
  [
    'deliveries_with_problems',
    {
      table: 'deliveries',
      prefix: [
        { column: 'status', value: 'held' },
        { column: 'environment_id', value: ENVIRONMENT },
      ],
      predicate: `status in ('blocked', 'held', 'declined', 'exhausted', 'canceled')`,
    },
  ],
];

describe('a scan', () => {
  it.each(ranges.filter(([, { table }]) => table !== 'deliveries'))(
    'reads %s in its order: no sort, no table, whether it is empty or full',
    async (index, range) => {
      const plan = await planOf(range);
      expect(plan).toContain(`Index Scan Backward using ${index}`);
      expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
    },
  );

  it('reads the log of deliveries in the order of its index', async () => {
    const [, range] = ranges.at(-1)!;
    const statement = scanStatement({
      columns: 'id',
      range,
      bounds: ALL_IDS,
      conditions: [],
      limit: 21,
      mostScanned: 2_500,
    });
    const rows = await database.db.transaction(async tx => {
      updateScanSettings(tx);
      return tx.query<{ 'QUERY PLAN': string }>({ ...statement, text: `explain (costs off) ${statement.text}` });
    });
    // The order that the merge keeps is no sorting.
    const lines = rows.map(row => row['QUERY PLAN']).filter(line => !line.includes('Sort Key'));
    const plan = lines.join('\n');
    expect(plan).toMatch(
      /Merge Append\n +-> +Index Only Scan Backward using deliveries_items_status_environment_id_id_idx/,
    );
    expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
  });

  it('looks at no more rows than it may, however rare what it looks for is', async () => {
    await database.db.query({
      name: '',
      text: `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
          expires_at, updated_at) values ('env_a', 'ord_1', 'p', 'paid', 1, 'USD', '[]', '{}', app_now(), app_now(), app_now())`,
      values: [],
    });
    await database.db.query({
      name: '',
      text: `insert into payments (environment_id, id, order_id, player_id, status, gateway, method, amount_minor, currency,
          created_at, updated_at)
        select 'env_a', 'pay_1' || lpad(n::text, 8, '0'), 'ord_1', 'p', 'declined', 'simulator', 'card', 1, 'USD', app_now(),
               app_now()
        from generate_series(1, 20000) as n`,
      values: [],
    });
    for (const [, range] of ranges.slice(0, 3)) {
      const plan = await planOf(range, true);
      const scanned = /Index Scan Backward.*actual rows=(\d+)/.exec(plan);
      expect(Number(scanned?.[1])).toBe(2_500);
    }
  });
});
