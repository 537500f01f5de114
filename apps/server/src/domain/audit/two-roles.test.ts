import { readFile } from 'node:fs/promises';
import { newBrowser, PASSWORD } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '../../db/embedded/cluster.ts';

const ROLE = `program_${process.pid}`;

let shop: TestProgram;
let role: pg.Client;

/** The owner of the schema may make no roles. */
async function asAdmin(ownerUrl: string, statement: string): Promise<void> {
  const url = new URL(ownerUrl);
  url.username = ADMIN;
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

/** The role of the program, made with the very file that operators run. */
async function withRole(ownerUrl: string): Promise<string> {
  await asAdmin(ownerUrl, `create role ${ROLE} login password 'program'`);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const text = await readFile(new URL('../../../../../ops/two-roles.sql', import.meta.url), 'utf8');
  await owner.query(text.replaceAll(':"program"', ROLE));
  await owner.end();
  const url = new URL(ownerUrl);
  url.username = ROLE;
  url.password = 'program';
  return url.href;
}

beforeAll(async () => {
  let programUrl = '';
  shop = await startProgram({
    databaseUrlOf: async url => {
      programUrl = await withRole(url);
      return programUrl;
    },
  });
  role = new pg.Client({ connectionString: programUrl });
  await role.connect();
});

afterAll(async () => {
  await role?.end();
  await shop?.close();
  // With its database went everything that was granted to it.
  await asAdmin(shop.database.url, `drop role ${ROLE}`);
});

describe('a program that runs under a role of its own', () => {
  test('works from registration to a paid order', async () => {
    const browser = newBrowser(shop.url);
    await browser.open();
    const game_url = 'https://play.google.com/store/apps/details?id=com.two.roles';
    const form = { email: 'two@example.com', password: PASSWORD, company: 'Two', game_url };
    expect((await browser.call('POST', '/register', form)).status).toBe(201);
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.until(order.order_id, 'pending', 'authorized', 'paid');
  });

  test.each([
    `update audit_entries set actor = 'x'`,
    'delete from audit_entries',
    'truncate audit_entries',
    `update audit_links set mac = 'x'`,
    'delete from audit_links',
    'alter table audit_entries disable trigger audit_append_only',
    'drop trigger audit_append_only on audit_entries',
    'drop table audit_entries',
    `create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'`,
  ])('cannot change the audit log: %s', async text => {
    await expect(role.query(text)).rejects.toThrow(/permission denied|must be owner/);
  });
});
