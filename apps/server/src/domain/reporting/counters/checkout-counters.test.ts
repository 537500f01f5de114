import { listCheckoutCounters } from '@coinslot/testing/checkout-counters';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../db/db.ts';
import { createSeal } from '../../../kit/seal.ts';
import { createCheckoutCounters } from './checkout-counters.ts';

let database: TestDatabase;
let live: { environmentId: string; mode: 'live' };
let sandbox: { environmentId: string; mode: 'sandbox' };
const errors: unknown[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const account = await registerTestAccount(database.db, createSeal(Buffer.alloc(32, 7)));
  live = { environmentId: account.live.environmentId, mode: 'live' };
  sandbox = { environmentId: account.sandbox.environmentId, mode: 'sandbox' };
  errors.splice(0);
});

const counters = (db: Pick<Db, 'query'> = database.db, counted: string[] = []) =>
  createCheckoutCounters({
    db: { ...database.db, ...db },
    onCount: (event, mode) => counted.push(`${event} ${mode}`),
    onError: error => errors.push(error),
  });

const listed = async (environmentId: string, from = '2000-01-01', to = '2100-01-01') =>
  (await listCheckoutCounters(database.db, environmentId, from, to)).map(({ event, count }) => `${event} ${count}`);

test('what two processes count adds up, apart for each environment', async () => {
  const counted: string[] = [];
  const [one, other] = [counters(database.db, counted), counters()];
  one.count(live, 'opened');
  one.count(live, 'opened');
  one.count(sandbox, 'left');
  other.count(live, 'opened');
  other.count(live, 'submitted');
  await Promise.all([one.drain(), other.drain()]);
  expect(await listed(live.environmentId)).toEqual(['opened 3', 'submitted 1']);
  expect(await listed(sandbox.environmentId)).toEqual(['left 1']);
  expect(counted).toEqual(['opened live', 'opened live', 'left sandbox']);
});

test('what was written is not written again, and a stop writes the rest', async () => {
  const counting = counters();
  counting.count(live, 'challenge_shown');
  await counting.drain();
  await counting.drain();
  counting.count(live, 'challenge_shown');
  await counting.stop();
  expect(await listed(live.environmentId)).toEqual(['challenge_shown 2']);
});

test('a database that is away for a while loses no count', async () => {
  let isAway = true;
  const query: Db['query'] = statement => (isAway ? Promise.reject(new Error('away')) : database.db.query(statement));
  const counting = counters({ query });
  counting.count(live, 'opened');
  await counting.drain();
  counting.count(live, 'opened');
  isAway = false;
  await counting.drain();
  expect(errors).toHaveLength(1);
  expect(await listed(live.environmentId)).toEqual(['opened 2']);
});

test('days are listed in their order, both ends included, and other days are not', async () => {
  const counting = counters();
  const days: string[] = [];
  for (let i = 0; i < 3; i++) {
    counting.count(live, 'opened');
    await counting.drain();
    await database.advance(86_400);
  }
  for (const { day } of await listCheckoutCounters(database.db, live.environmentId, '2000-01-01', '2100-01-01')) {
    days.push(day);
  }
  expect(days).toEqual(days.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(days).toHaveLength(3);
  expect(days[0]).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await listed(live.environmentId, days[0], days[1])).toEqual(['opened 1', 'opened 1']);
  expect(await listed(live.environmentId, days[2], days[2])).toEqual(['opened 1']);
});
