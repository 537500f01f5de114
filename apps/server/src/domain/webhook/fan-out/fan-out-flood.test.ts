import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';
import { insertDeliveriesOfObservers } from '../delivery/observer-delivery.sql.ts';
import { fanOut } from './fan-out.ts';

let shop: TestProgram;

const FLOOD = 2_400;
const OBSERVERS = 3;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  const { sandbox, live } = shop.account;
  for (let n = 0; n < OBSERVERS; n++) {
    const hook = { url: `https://observer-${n}.example.com/hook`, events: ['payment.*'] };
    for (const { s2sKey: key } of [sandbox, live]) await shop.call('POST', '/s2s/v1/webhooks', hook, { key });
  }
});

afterAll(() => shop?.close());

/** Two events for each order, the flood first. */
const emit = (environmentId: string, count: number): Promise<unknown[]> =>
  shop.database.db.query(sql('test_tell')`
    insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
    select ${environmentId}, 'evt_' || ${environmentId}::text || n, 'payment.pending', 'ord_' || n / 2, '{}', true, app_now()
    from generate_series(1, ${count}::int) n`);

const countsOf = (environmentId: string) =>
  shop.database.db.query<{ status: string; count: number }>(sql('test_flood_counts')`
    select status, count(*)::int as count from deliveries where environment_id = ${environmentId} and lane = 'observer'
    group by status order by status`);

describe('a flood of events', () => {
  it('is looked up order by order even with the plan that a still empty month gets', async () => {
    const { text } = insertDeliveriesOfObservers;
    const plan = await shop.program.parts.moneyDb.transaction(tx =>
      tx.query<Record<'QUERY PLAN', string>>({ name: '', text: `explain ${text}`, values: ['{}'] }),
    );
    const reads = plan
      .map(line => line['QUERY PLAN'].trim())
      .filter(line => /Scan.* on deliveries_observer/.test(line));
    expect(reads.length).toBeGreaterThan(1);
    for (const read of reads) expect(read).toContain('order_id_environment_id_idx on');
  });

  it('delays its own environment alone: another one has its turn beside it', async () => {
    const { sandbox, live } = shop.account;
    await emit(sandbox.environmentId, FLOOD);
    await emit(live.environmentId, 2);
    const { db, signals } = shop.program.parts;
    expect(await fanOut({ db, signals })).toBeLessThan(FLOOD);
    const waiting = await shop.database.db.query(sql('test_flood_waiting')`
      select environment_id as "environmentId" from waiting_events`);
    expect(waiting).toEqual([{ environmentId: sandbox.environmentId }]);
  });

  it('becomes one delivery for each observer, and behind the first of an order the second waits', async () => {
    const { db, signals } = shop.program.parts;
    for (let taken = 1; taken > 0; ) taken = await fanOut({ db, signals });
    const { sandbox, live } = shop.account;
    expect(await countsOf(sandbox.environmentId)).toEqual([
      { status: 'blocked', count: (FLOOD / 2 - 1) * OBSERVERS },
      { status: 'pending', count: (FLOOD / 2 + 1) * OBSERVERS },
    ]);
    // The first and the second event are about two orders.
    expect(await countsOf(live.environmentId)).toEqual([{ status: 'pending', count: 2 * OBSERVERS }]);
  });
});
