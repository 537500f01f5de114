import type { BenchServer, Lab } from '../lab.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { Result } from '../result.ts';
import { subscribe } from '../shop.ts';
import { median, quantile } from '../statistics.ts';

/** How long the game takes to answer. */
const GAME_MS = 5;
const PLAYERS = 32;
const ROUNDS = 5;
const ALONE_ORDERS = 60;
const TOGETHER_ORDERS = 1_000;
const WARM_UP_ORDERS = 400;

/** From the tap on Pay to the page with the deep link: authorized, asked, granted and captured in between. */
export async function measurePay(lab: Lab, { port, account }: BenchServer): Promise<Result[]> {
  const programs = await Promise.all([lab.startProgram('receiver'), lab.startProgram('player-load')]);
  const [receiver, playerLoad] = programs;
  await subscribe(port, account.sandboxKey, ['item.add', 'item.remove'], await receiver.ask('port'));
  await receiver.ask({ takesMs: GAME_MS });
  const buy = async (atOnce: number, orders: number): Promise<number[]> => {
    const load: PlayerLoad = {
      port,
      key: account.sandboxKey,
      atOnce,
      players: 1_000,
      ms: 60_000,
      orders,
      returns: true,
    };
    return (await playerLoad.ask<PlayerLoadResult>(load)).returnMs;
  };
  await buy(PLAYERS, WARM_UP_ORDERS);
  await buy(1, ALONE_ORDERS);
  const alone: number[] = [];
  const together: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(median(await buy(1, ALONE_ORDERS)));
    together.push(await buy(PLAYERS, TOGETHER_ORDERS));
  }
  await Promise.all(programs.map(program => program.stop()));
  const p50 = median(together.map(median));
  const p99 = median(together.map(waits => quantile(waits, 0.99)));
  return [
    {
      what: 'pay to the page with the deep link, alone, p50',
      measured: `a game that takes ${GAME_MS} ms, ${ROUNDS} × ${ALONE_ORDERS} orders`,
      value: median(alone),
      unit: 'ms',
      target: { atMost: 20 },
    },
    {
      what: `the same with ${PLAYERS} players, p99 to p50`,
      measured: `${p99.toFixed(0)} to ${p50.toFixed(0)} ms, ${ROUNDS} × ${TOGETHER_ORDERS} orders`,
      value: median(together.map(waits => quantile(waits, 0.99) / median(waits))),
      unit: '×',
      target: { atMost: 2.5 },
    },
  ];
}
