import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LiveOrder, LiveShop, startLiveShop } from '../live-shop.ts';
import { startTinyDouble } from './tiny-double.ts';

/** A copy of the program, in which nothing is changed but what the guide says: a folder, a line in a list, a table of settings. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PARTS = ['apps/server/src', 'apps/server/migrations', 'apps/server/package.json', 'packages/testing'];
const copy = mkdtempSync(join(ROOT, 'node_modules/.tiny-shop-'));
const guide = readFileSync(join(ROOT, 'docs/guides/write-a-provider.md'), 'utf8');

const listed = (name: string): string => {
  const found = new RegExp(`\`\`\`ts\\n// ${name.replaceAll('.', '\\.')}\\n([\\s\\S]+?)\`\`\``).exec(guide);
  if (!found) throw new Error(`the guide has no listing of ${name}`);
  return found[1]!;
};

function put(path: string, before: string, added: string): void {
  const file = join(copy, 'apps/server/src', path);
  const text = readFileSync(file, 'utf8');
  if (text.split(before).length !== 2) throw new Error(`${path} has no single ${before}`);
  writeFileSync(
    file,
    text.replace(before, () => added + before),
  );
}

function putIn(): void {
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  const folder = 'domain/payment/providers/tinypay';
  mkdirSync(join(copy, 'apps/server/src', folder));
  writeFileSync(join(copy, 'apps/server/src', folder, 'tiny-provider.ts'), listed('tinypay/tiny-provider.ts'));
  put('program/known-providers.ts', '  ];\n}', listed('known-providers.ts'));
  put(
    'program/known-providers.ts',
    'import type { Db }',
    `import { createTinyProvider } from '../${folder}/tiny-provider.ts';\n`,
  );
  put('settings/provider-settings.ts', '};\n', listed('provider-settings.ts'));
}

const tiny = await startTinyDouble();
let shop: LiveShop;

beforeAll(async () => {
  putIn();
  const testing = (await import(/* @vite-ignore */ join(copy, 'packages/testing/src/live-shop.ts'))) as {
    startLiveShop: typeof startLiveShop;
  };
  shop = await testing.startLiveShop({
    env: { TINYPAY_API_BASE: tiny.url, TINYPAY_API_KEY: 'test_Double0001', TINYPAY_SHOP_ID: 'shop_Double0001' },
  });
});

afterAll(async () => {
  await shop?.close();
  await tiny.close();
  rmSync(copy, { recursive: true, force: true });
});

const newest = async (order: LiveOrder): Promise<string> => String((await shop.paymentsOf(order))[0]!.payment_id);

async function leave(method: string): Promise<{ order: LiveOrder; paymentId: string }> {
  const order = await shop.order({ country: 'NL' });
  expect(await shop.page(order)).toContain(`value="${method}"`);
  expect((await shop.post(order, '/pay', { method })).status).toBe(303);
  const away = await fetch(`${order.checkout_url}/continue`, { redirect: 'manual' });
  const paymentId = await newest(order);
  expect(away.headers.get('location')).toBe(tiny.paymentOf(paymentId).pay_url);
  return { order, paymentId };
}

it('the provider of the guide takes a payment through the page of a program that has it in', async () => {
  const { order, paymentId } = await leave('ideal');
  tiny.approve(paymentId, false);
  await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
  await shop.until(order, 'paid');
  expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'succeeded', gateway: 'tinypay', method: 'ideal' }]);
  expect(tiny.movementsOf(paymentId)).toEqual(['authorized', 'captured']);
});

it('its callback is heard, and what its bank declines can be paid again', async () => {
  const { order, paymentId } = await leave('card');
  const callBack = async (id: string): Promise<number> => {
    const body = new URLSearchParams({ id: tiny.paymentOf(id).id });
    return (await fetch(`${shop.url}/gateways/tinypay`, { method: 'POST', body })).status;
  };
  tiny.approve(paymentId, true);
  expect(await callBack(paymentId)).toBe(200);
  await shop.until(order, 'created');
  expect((await shop.post(order, '/pay', { method: 'card' })).status).toBe(303);
  const second = await newest(order);
  tiny.approve(second, false);
  expect(await callBack(second)).toBe(200);
  await shop.until(order, 'paid');
  expect(tiny.movementsOf(second)).toEqual(['authorized', 'captured']);
});

it('a refund goes back through it', async () => {
  const { order, paymentId } = await leave('card');
  tiny.approve(paymentId, false);
  await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
  await shop.until(order, 'paid');
  const answer = await shop.call('POST', `/s2s/v1/orders/${order.order_id}/refund`, {});
  expect(answer.status).toBeLessThan(300);
  await shop.until(order, 'refunded');
  expect(tiny.movementsOf(paymentId)).toEqual(['authorized', 'captured', 'refunded']);
});

it('the program compiles with it, its line and its settings', () => {
  const config = join(copy, 'tsconfig.json');
  const compilerOptions = { incremental: false, tsBuildInfoFile: null };
  const files = [join(copy, 'apps/server/src/main.ts')];
  const base = join(ROOT, 'tsconfig.check.json');
  writeFileSync(config, JSON.stringify({ extends: base, files, include: [], compilerOptions }));
  const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config];
  const run = (): string => {
    try {
      return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    }
  };
  expect(run()).toBe('');
  // The compiler reads the whole program, which takes long beside other tests.
}, 300_000);
