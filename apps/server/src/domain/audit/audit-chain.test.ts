import { randomBytes } from 'node:crypto';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { createSeal, macRootOf, type Seal } from '../../kit/seal.ts';
import { writeAudit } from './audit.ts';
import { checkAuditChain, extendAuditChain } from './audit-chain.ts';

const MASTER_KEY = randomBytes(32);
const ACTOR = { userId: 'usr_1', email: 'ada@example.com', ip: '192.0.2.1' };

let database: TestDatabase;
let shop: { db: TestDatabase['db']; seal: Seal };

beforeEach(async () => {
  database = await testDatabase();
  shop = { db: database.db, seal: createSeal(MASTER_KEY) };
});

afterEach(() => database.drop());

const write = (name: string): Promise<void> =>
  shop.db.transaction(async tx =>
    writeAudit(tx, ACTOR, { companyId: 'cmp_1', kind: 'company.renamed', before: { name: 'Old' }, after: { name } }),
  );

const link = async (): Promise<void> => {
  while (await extendAuditChain(shop));
};

/** What only the owner of the tables can do. */
const tamper = (text: string): Promise<unknown> =>
  shop.db.transaction(async tx => {
    await tx.execute({ text: 'alter table audit_entries disable trigger user', values: [], name: 't_off' });
    await tx.execute({ text: 'alter table audit_links disable trigger user', values: [], name: 't_off_links' });
    await tx.execute({ text, values: [], name: `t_${text.length}` });
  });

describe('the chain over the audit log', () => {
  it('holds every entry of concurrent writers once, and none that was rolled back', async () => {
    const writers = Array.from({ length: 30 }, (_, n) => write(`name ${n}`));
    const undone = shop.db
      .transaction(async tx => {
        writeAudit(tx, ACTOR, { companyId: null, kind: 'user.changed' });
        await tx.query(sql('t_now')`select 1`);
        throw new Error('undone');
      })
      .catch(() => {});
    await Promise.all([...writers, undone, extendAuditChain(shop), extendAuditChain(shop)]);
    await link();
    expect(await checkAuditChain(shop, 7)).toMatchObject({ entries: 30, fault: null, unlinked: 0 });
  });

  it('has links that cannot be made without the master key, and that outlive its rotation', async () => {
    await write('a');
    await link();
    const rotated = createSeal(randomBytes(32));
    expect(await checkAuditChain({ ...shop, seal: rotated })).toMatchObject({ fault: { kind: 'changed' } });
    rotated.adopt({ current: randomBytes(32), others: [], earlierMacRoots: [macRootOf(MASTER_KEY)] });
    expect(await checkAuditChain({ ...shop, seal: rotated })).toMatchObject({ entries: 1, fault: null });
  });

  it('counts what is not linked yet', async () => {
    await write('a');
    await link();
    await write('b');
    expect(await checkAuditChain(shop)).toMatchObject({ entries: 1, fault: null, unlinked: 1 });
  });

  it.each([
    ['changed', `update audit_entries set actor = 'eve@example.com' where seq = 2`],
    ['changed', `update audit_entries set after = '{"name":"other"}' where seq = 2`],
    ['changed', `update audit_entries set created_at = created_at - interval '1 microsecond' where seq = 2`],
    ['missing', 'delete from audit_entries where seq = 2'],
    ['added', 'delete from audit_links where seq = 2'],
    ['changed', `with gone as (delete from audit_links where seq = 2) delete from audit_entries where seq = 2`],
  ])('breaks where an entry was tampered with (row 179): %s by %s', async (kind, text) => {
    for (const name of ['a', 'b', 'c']) await write(name);
    await link();
    const { head } = await checkAuditChain(shop);
    await tamper(text);
    const { fault } = await checkAuditChain(shop);
    expect(fault?.kind).toBe(kind);
    expect(head).toMatch(/^[0-9a-f]{16}$/);
  });

  it('ends elsewhere when its newest entries were cut off together with their links', async () => {
    for (const name of ['a', 'b', 'c']) await write(name);
    await link();
    const { head } = await checkAuditChain(shop);
    await tamper('with gone as (delete from audit_links where seq > 2) delete from audit_entries where seq > 2');
    expect(await checkAuditChain(shop)).toMatchObject({ entries: 2, fault: null });
    expect((await checkAuditChain(shop)).head).not.toBe(head);
  });
});
