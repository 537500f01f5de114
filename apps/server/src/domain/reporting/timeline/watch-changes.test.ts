import type { ChangeKind } from '@coinslot/contract';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../kit/ids.ts';
import { type ChangeWatch, createChangeWatch } from './watch-changes.ts';

const ENVIRONMENT = 'env_watched';
let database: TestDatabase;
let changes: ChangeWatch;
const errors: unknown[] = [];

beforeAll(async () => {
  database = await testDatabase();
  changes = createChangeWatch({ db: database.db, onError: error => errors.push(error) });
});

afterAll(async () => {
  await changes?.stop();
  await database?.drop();
});

const insert = (client: pg.Client, type: string, environmentId = ENVIRONMENT) =>
  client.query(
    `insert into events (environment_id, id, type, data, fan_out, created_at) values ($1, $2, $3, '{}', false, app_now())`,
    [environmentId, newId('evt'), type],
  );

it('names the lists of a late commit too, although a higher number came before it', async () => {
  const [late, prompt] = [
    new pg.Client({ connectionString: database.url }),
    new pg.Client({ connectionString: database.url }),
  ];
  await Promise.all([late.connect(), prompt.connect()]);
  const notified = new Set<ChangeKind>();
  await late.query('begin');
  await insert(late, 'payment.succeeded');
  await insert(prompt, 'item.add');
  const stop = changes.watch(ENVIRONMENT, lists => {
    for (const list of lists) notified.add(list);
  });
  for (let hour = 0; hour < 3; hour++) {
    await database.advance(3_600);
    await changes.look();
  }
  expect(notified).not.toContain('payments');
  await late.query('commit');
  await expect.poll(() => [...notified].toSorted()).toEqual(['deliveries', 'grants', 'home', 'orders', 'payments']);
  notified.clear();
  await insert(prompt, 'payment.declined', 'env_other');
  await changes.look();
  await changes.look();
  expect([...notified]).toEqual([]);
  stop();
  await Promise.all([late.end(), prompt.end()]);
  expect(errors).toEqual([]);
});
