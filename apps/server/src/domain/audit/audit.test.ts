import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listUserAuditEntries } from './audit.sql.ts';
import { writeAudit } from './audit.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database?.drop());

it('an entry has a size, whatever was changed (row 134)', async () => {
  const actor = { userId: 'usr_1', email: 'a@example.com', ip: '192.0.2.1' };
  const long = 'x'.repeat(100_000);
  const many = Array.from({ length: 5_000 }, () => long);
  await database.db.transaction(async tx =>
    writeAudit(tx, actor, {
      companyId: null,
      kind: 'user.changed',
      before: { name: 'Ada', age: 3 },
      after: { name: long, many },
    }),
  );
  const [entry] = await listUserAuditEntries(database.db, actor.userId, null, 10);
  expect(entry?.before).toEqual({ name: 'Ada', age: 3 });
  expect(entry?.after?.name).toBe(`${'x'.repeat(500)}…`);
  expect(JSON.stringify(entry).length).toBeLessThan(30_000);
});
