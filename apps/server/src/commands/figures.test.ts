import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../db/sql.ts';
import { figuresCommand } from './figures.ts';

let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

async function run(...argv: string[]): Promise<{ code: number; said: string[] }> {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const pause = async (): Promise<void> => void (await shop.database.advance(1));
  const code = await figuresCommand.run(argv, { db: shop.database.db, pause, write: say, writeError: say });
  return { code, said };
}

const figures = () =>
  shop.database.db.query(sql('test_figures')`
    select measure, hour, key, count, amount_minor from figures_hourly order by measure, hour, key`);

it('counts again what was wrong, and twice is like once', async () => {
  const paid = await shop.createOrder();
  await shop.pay(paid.checkout_url);
  await shop.createOrder();
  await shop.later(300);
  const counted = 'Recounted: 2 orders, 1 of them paid, 1 deliveries attempted.';
  await expect.poll(async () => (await run()).said[0]).toBe(counted);
  const right = await figures();
  await shop.database.db.query(sql('test_figures_spoil')`update figures_hourly set count = count + 41`);
  await expect.poll(async () => (await run()).said[0]).toBe(counted);
  expect(await figures()).toEqual(right);
});

it('says how it is called', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, said: [expect.stringContaining('npm run figures')] });
  expect(await run('--all')).toMatchObject({ code: 2, said: [expect.stringContaining('npm run figures')] });
});
