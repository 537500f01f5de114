import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDb } from '../db.ts';
import { sql } from '../sql.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const countSessions = async (): Promise<number> => {
  const [row] = await database.db.query<{ count: number }>(sql('test_sessions')`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
  return row!.count;
};

it('has closed every connection when it says that it is closed, so that a database stopped next cuts none (row 126)', async () => {
  const before = await countSessions();
  for (let turn = 0; turn < 10; turn++) {
    const errors: Error[] = [];
    const db = createDb({ url: database.url, maxConnections: 10, onError: error => errors.push(error) });
    await Promise.all(Array.from({ length: 10 }, () => db.query(sql('test_wait')`select pg_sleep(0.02)`)));
    await db.close();
    expect(await countSessions()).toBe(before);
    expect(errors).toEqual([]);
  }
});
