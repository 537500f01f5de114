import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/db.ts';
import { type Statement, sql } from '../../../db/sql.ts';
import { newId } from '../../../kit/ids.ts';
import { claimDeliveries } from './claim-deliveries.sql.ts';
import type { Delivery, Lane } from './delivery.sql.ts';
import { createDeliveryLoop } from './delivery-loop.ts';

const ENVIRONMENT = 'env_of_a_test';

let database: TestDatabase;
let loop: ReturnType<typeof createDeliveryLoop>;
let itemLoop: ReturnType<typeof createDeliveryLoop>;
/** What is on its way to each endpoint, and how to let it come to its end. */
let onTheWay: Map<string, (() => void)[]>;
let asking = 0;

beforeAll(async () => {
  database = await testDatabase();
});

beforeEach(async () => {
  await database.db.query(sql('test_forget_deliveries')`delete from deliveries where environment_id = ${ENVIRONMENT}`);
  onTheWay = new Map();
  const query = <Row>(statement: Statement): Promise<Row[]> => {
    asking++;
    return database.db.query<Row>(statement).finally(() => {
      asking--;
    });
  };
  const loopOf = (lane: Lane) =>
    createDeliveryLoop({
      db: { ...database.db, query },
      lane,
      leaseSeconds: 600,
      perEndpoint: () => 64,
      onError: error => expect.unreachable(String(error)),
      deliver: ({ subscriptionId }) =>
        new Promise(resolve => {
          const key = subscriptionId ?? 'none';
          onTheWay.set(key, [...(onTheWay.get(key) ?? []), resolve]);
        }),
    });
  loop = loopOf('observer');
  itemLoop = loopOf('items');
});

afterEach(async () => {
  const stopped = Promise.all([loop.stop(), itemLoop.stop()]);
  for (const key of onTheWay.keys()) finish(key);
  await stopped;
});

afterAll(() => database.drop());

const due = (count: number, subscriptionId: string | null, lane: Lane = 'observer'): Promise<unknown> =>
  database.db.query(sql('test_insert_due')`
    insert into deliveries (environment_id, id, event_id, event_type, lane, subscription_id, idempotency_key, status, body,
                            next_attempt_at, created_at)
    select ${ENVIRONMENT}, ${newId('dlv')} || n, 'evt_1', 'order.paid', ${lane}, ${subscriptionId}, 'evt_1', 'pending', '{}',
           app_now(), app_now()
    from generate_series(1, ${count}::int) n`);

const sentTo = (key: string): number => onTheWay.get(key)?.length ?? 0;
const finish = (key: string): void => {
  for (const end of onTheWay.get(key)?.splice(0) ?? []) end();
};

/** The loop has looked until there was nothing it may take. */
async function settled(of = loop): Promise<void> {
  of.wake();
  await expect.poll(() => asking).toBe(0);
}

describe('deliveries to many endpoints', () => {
  it('a slow one holds 64 slots and not those of the others', async () => {
    await due(300, 'whk_slow');
    await due(3, 'whk_quick');
    await settled();
    expect(sentTo('whk_slow')).toBe(64);
    expect(sentTo('whk_quick')).toBe(3);
  });

  it('go on by themselves until nothing waits, however quickly they are answered', async () => {
    await due(300, 'whk_quick');
    let sent = 0;
    const quick = createDeliveryLoop({
      db: database.db,
      lane: 'observer',
      leaseSeconds: 600,
      perEndpoint: () => 64,
      onError: error => expect.unreachable(String(error)),
      deliver: async () => {
        await new Promise(setImmediate);
        sent++;
      },
    });
    // Woken once: the loop was not started, so it does not look every second.
    quick.wake();
    await expect.poll(() => sent).toBe(300);
    await quick.stop();
  });

  it('take turns when there are more than slots', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `whk_${i}`);
    for (const name of names) await due(100, name);
    await settled();
    const without = names.filter(name => sentTo(name) === 0);
    expect(without).toHaveLength(2);
    finish('whk_0');
    finish('whk_1');
    await expect.poll(() => without.map(sentTo)).toEqual([64, 64]);
  });

  it('of items are 64 for an environment, also those that waited for its first endpoint', async () => {
    await due(100, null, 'items');
    await due(100, 'whk_former', 'items');
    await settled(itemLoop);
    expect(sentTo('none') + sentTo('whk_former')).toBe(64);
  });
});

describe('looking for work', () => {
  const CAPACITY = { limit: 64, perEndpoint: 64, inFlight: new Map<string, number>(), from: '' };

  it('does not walk past what waits for a busy endpoint', async () => {
    await due(3_000, 'whk_busy');
    await due(1, 'whk_idle');
    await database.db.query({ name: '', text: 'analyze deliveries', values: [] });
    const asked: Statement[] = [];
    const watching = {
      queryAny: () => Promise.resolve(false),
      query: (statement: Statement) => {
        asked.push(statement);
        return Promise.resolve([]);
      },
    } as unknown as Db;
    await claimDeliveries(watching, 'observer', 'job_1', 60, { ...CAPACITY, inFlight: new Map([['whk_busy', 64]]) });
    const [claim] = asked;
    const text = `explain (analyze, buffers, format json) ${claim!.text}`;
    const [row] = await database.db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
      ...claim!,
      name: '',
      text,
    });
    const { Plan: plan } = row!['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBe(1);
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(500);
  });

  it('leaves alone what a worker has claimed, until the lease is over', async () => {
    await due(1, 'whk_a');
    const claim = (id: string): Promise<Delivery[]> => claimDeliveries(database.db, 'observer', id, 60, CAPACITY);
    expect(await claim('job_1')).toMatchObject([{ claimId: 'job_1', attemptsMade: 1 }]);
    expect(await claim('job_2')).toEqual([]);
    await database.advance(61);
    expect(await claim('job_3')).toMatchObject([{ claimId: 'job_3', attemptsMade: 2 }]);
  });
});
