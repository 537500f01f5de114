import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryList } from './deliveries.ts';
import { ALL_IDS, type IndexRange, type Scope, scanStatement, updateScanSettings } from './index-scan.sql.ts';
import { orderList } from './orders.ts';
import { type TransactionQuery, transactionList } from './transactions.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database?.drop());

const ENVIRONMENT = 'env_a';

const planOf = async (table: Scope['table'], range: IndexRange, explain = 'explain (costs off)'): Promise<string> => {
  const options =
    table === 'deliveries'
      ? { columns: 'id', bounds: ALL_IDS, conditions: [] }
      : {
          columns: 'id, status',
          bounds: { below: 'pay_5', from: 'pay_0' },
          conditions: [{ text: 'amount_minor > ?', values: [5] }],
        };
  const scope = { table, environmentId: ENVIRONMENT };
  const statement = scanStatement(scope, range, { ...options, limit: 21, mostScanned: 2_500 });
  const rows = await database.db.transaction(async tx => {
    updateScanSettings(tx);
    return tx.query<{ 'QUERY PLAN': string }>({ ...statement, text: `${explain} ${statement.text}` });
  });
  return rows.map(row => row['QUERY PLAN']).join('\n');
};

const ranges: [string, IndexRange][] = [
  ['payments_pkey', { prefix: {} }],
  ...(
    [
      ['payments_by_stage', { status: 'declined' }],
      ['payments_settled_by_method', { method: 'card' }],
      ['payments_settled_by_brand', { brand: 'visa' }],
      ['payments_settled_by_country', { country: 'GB' }],
      ['payments_settled_by_currency', { currency: 'USD' }],
      ['payments_settled_by_code', { response_code: '16' }],
      ['payments_settled_by_amount', { amount_from: 5, amount_to: 5 }],
      ['payments_by_player', { player_id: 'player_1' }],
      ['payments_needing_attention', { attention: 'true' }],
    ] satisfies [string, TransactionQuery][]
  ).map(([index, query]): [string, IndexRange] => [index, transactionList.criteria(query)[0]!.ranges![0]!]),
  ['payments_settled_by_email', transactionList.criteria({ q: 'x@y' })[0]!.exact![1]!],
  ['orders_by_stage', orderList.criteria({ status: 'paid' })[0]!.ranges![0]!],
];

describe('a scan', () => {
  it.each(ranges)('reads %s in its order: no sort, no table, whether it is empty or full', async (index, range) => {
    const plan = await planOf(index.startsWith('orders') ? 'orders' : 'payments', range);
    expect(plan).toContain(`Index Scan Backward using ${index}`);
    expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
  });

  it('reads the log of deliveries in the order of its index', async () => {
    const whole = await planOf('deliveries', deliveryList.criteria({ status: 'held' })[0]!.ranges![0]!);
    // The order that the merge keeps is no sorting.
    const plan = whole.replaceAll(/.*Sort Key.*\n/g, '');
    expect(plan).toMatch(
      /Merge Append\n +-> +Index Only Scan Backward using deliveries_items_status_environment_id_id_idx/,
    );
    expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
  });

  it('looks at no more rows than it may, however rare what it looks for is', async () => {
    await database.db.query({
      name: '',
      text: `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
          expires_at, updated_at) values ('env_a', 'ord_1', 'p', 'created', 1, 'USD', '[]', '{}', app_now(), app_now(), app_now())`,
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
      const plan = await planOf('payments', range, 'explain (analyze, timing off, summary off)');
      const scanned = /Index Scan Backward.*actual rows=(\d+)/.exec(plan);
      expect(Number(scanned?.[1])).toBe(2_500);
    }
  });
});
