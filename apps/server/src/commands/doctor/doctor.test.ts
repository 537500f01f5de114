import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { loadConfig } from '../../settings/config.ts';
import { doctorCommand } from './doctor.ts';
import type { Finding } from './finding.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop({ workers: true });
});
afterAll(() => shop?.close());

interface Examined {
  code: number;
  findings: Finding[];
  text: string;
}

async function examine(env: Record<string, string> = {}): Promise<Examined> {
  const { program, database } = shop;
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, PUBLIC_URL: shop.url, ...env });
  const deps = { config, parts: program.parts, databaseUrl: database.url, version: '0.0.0-test', writeError: () => {} };
  const lines: string[] = [];
  const code = await doctorCommand.run(['--json'], { ...deps, write: line => void lines.push(line) });
  const text: string[] = [];
  await doctorCommand.run([], { ...deps, write: line => void text.push(line) });
  return { code, findings: (JSON.parse(lines[0]!) as { findings: Finding[] }).findings, text: text.join('\n') };
}

const stateOf = ({ findings }: Examined, what: string): string[] =>
  findings.filter(finding => finding.what === what).map(({ state }) => state);

it('finds nothing wrong with a shop that works, and says what mails need', async () => {
  await shop.payBy(await shop.order());
  await expect.poll(async () => stateOf(await examine(), 'worker'), { timeout: 30_000 }).toEqual(['ok']);
  const examined = await examine();
  // The test's server does not wait for its disk, and the test has moved the shop's clock.
  const known = ['durability', 'clock'];
  expect(examined.findings.filter(({ state, what }) => state === 'wrong' && !known.includes(what))).toEqual([]);
  expect(stateOf(examined, 'provider stripe')).toEqual(['ok']);
  expect(examined.text).toMatch(/note {3}mail: SMTP_URL is not set[^\n]*\n +→ npm run mails/);
});

it('names each thing that is wrong with what to do about it, and ends with 1', async () => {
  const { db } = shop.database;
  await db.query(sql('t_newer')`insert into migrations (number, name, hash, oldest_program)
    values (9999, '9999_far-ahead.sql', 'x', 9999)`);
  await db.query(
    sql('t_no_endpoint')`update webhook_subscriptions set enabled = false where environment_id is not null`,
  );
  const examined = await examine({ PUBLIC_URL: 'http://127.0.0.1:9' });
  expect(examined.code).toBe(1);
  for (const what of ['schema', 'games', 'public URL'])
    expect([what, ...stateOf(examined, what)]).toEqual([what, 'wrong']);
  for (const { state, advice } of examined.findings) if (state !== 'ok') expect(advice).toMatch(/\w/);
});
