import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CURRENCIES } from '@coinslot/contract';
import { currencyDecimals } from '@coinslot/sdk';
import { signedInMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMoney as inDashboard, minorOf } from '../apps/dashboard/src/kit/money.ts';
import { formatMoney as onPageAndInMail } from '../apps/server/src/kit/format.ts';
import { decimalText, toDecimal, toMinor } from '../apps/server/src/kit/money.ts';
import { moneyWord } from '../packages/cli/src/terminal/words.ts';

/** Long enough to have a digit before every decimal, and no two neighbors alike. */
const MINOR = 1_234_567;
const all = [...CURRENCIES];

/** The number in a text, with a dot for its decimals: `HUF 12,345.67` is `12345.67`. */
const numberIn = (text: string): string => text.replaceAll(/[^\d.]/g, '').replace(/^\./, '');

describe('every currency of ISO 4217', () => {
  test('is there', () => {
    expect(all.length).toBeGreaterThan(160);
    expect(Object.fromEntries(all)).toMatchObject({ HUF: 2, IDR: 2, IQD: 3, JPY: 0, KWD: 3, CLF: 4, UGX: 0, USD: 2 });
  });

  test.each(all)('%s has %d decimals on every surface (row 114)', (currency, decimals) => {
    const text = decimalText(MINOR, currency);
    expect(text.split('.')[1]?.length ?? 0).toBe(decimals);
    const decimal = toDecimal(MINOR, currency);
    expect(toMinor(decimal, currency)).toBe(MINOR);
    expect(minorOf(decimal, currency)).toBe(MINOR);
    expect(currencyDecimals(currency)).toBe(decimals);
    expect({
      pageAndMail: numberIn(onPageAndInMail(MINOR, currency, 'en')),
      dashboard: numberIn(inDashboard('en', MINOR, currency)),
      commandLine: numberIn(moneyWord({ price_decimal: decimal, currency })),
    }).toEqual({ pageAndMail: text, dashboard: text, commandLine: text });
  });
});

describe('an order of every currency', () => {
  let shop: TestProgram;
  const prices = new Map<string, string>();

  beforeAll(async () => {
    shop = await startProgram({ workers: false });
    for (const [currency] of all) {
      const order = await shop.createOrder({ price_decimal: toDecimal(MINOR, currency), currency });
      const read = await shop.readOrder(order.order_id);
      expect(read).toMatchObject({ amount: MINOR, currency, price_decimal: toDecimal(MINOR, currency) });
      await shop.call('POST', `/s2s/v1/orders/${order.order_id}/pay`, { card: 'success' });
      prices.set(order.order_id, decimalText(MINOR, currency));
    }
  });
  afterAll(() => shop?.close());

  test('is written with its decimals in the CSV file (row 114)', async () => {
    const { browser } = await signedInMember(shop, 'viewer');
    const path = `/games/${shop.account.gameId}/sandbox/transactions/export?columns=order_id,amount`;
    const file = await (await browser.fetch('GET', path)).text();
    const rows = file
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map(line => line.split(',') as [string, string]);
    expect(new Map(rows)).toEqual(prices);
  });
});

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = [
  'apps/server/src',
  'apps/dashboard/src',
  'packages/checkout-page/src',
  'packages/cli/src',
  'packages/sdk/src',
];

test('money is formatted nowhere by the table of decimals that Node or the browser brings (row 114)', () => {
  const careless = FOLDERS.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /(?<!\.test)\.tsx?$/.test(name) && !name.startsWith('testing/'))
      .map(name => join(folder, name)),
  ).filter(name =>
    [...readFileSync(join(ROOT, name), 'utf8').matchAll(/style: 'currency'[^)]*/g)].some(
      ([options]) => !/\.\.\.(?:digits|decimals)|maximumFractionDigits/.test(options),
    ),
  );
  expect(careless).toEqual([]);
});
