import type { BenchServer, Lab } from '../lab.ts';
import type { Plan } from '../plan.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { Arrivals } from '../programs/receiver.ts';
import type { Result } from '../result.ts';
import { subscribe } from '../shop.ts';
import { quantile } from '../statistics.ts';

const WARM_UP_ORDERS = 50;

/**
 * From the moment the program hears that the grant is durable to the moment the game has the head of the request, one order
 * at a time. Both moments are read from the machine's one monotonic clock.
 */
export async function measureFirstByte(lab: Lab, server: BenchServer, plan: Plan): Promise<Result[]> {
  const programs = await Promise.all([
    lab.startProgram('timed-server'),
    lab.startProgram('receiver'),
    lab.startProgram('player-load'),
  ]);
  const [timed, receiver, playerLoad] = programs;
  const port = await timed.ask<number>({ start: { databaseUrl: server.databaseUrl, masterKey: lab.masterKey } });
  const key = server.account.sandboxKey;
  await subscribe(port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  const buy = (orders: number): Promise<PlayerLoadResult> => {
    const load: PlayerLoad = { port, key, atOnce: 1, players: plan.players, ms: 120_000, orders };
    return playerLoad.ask(load);
  };
  await buy(WARM_UP_ORDERS);
  await receiver.ask('arrivals');
  const { orderIds } = await buy(plan.firstByteOrders);
  const { arrivedMs } = await receiver.ask<Arrivals>('arrivals');
  const committedMs = await timed.ask<Record<string, number>>('commits');
  await Promise.all(programs.map(program => program.stop()));
  const waits = orderIds.map(id => {
    const grant = `add_${id.slice(id.indexOf('_') + 1)}`;
    return arrivedMs[grant]! - committedMs[grant]!;
  });
  if (waits.some(wait => !(wait > 0))) throw new Error('a grant was not measured, or came before its commit');
  const result = (name: string, share: number, atMost: number): Result => ({
    what: `commit to the receiver's first byte, idle, ${name}`,
    measured: `${waits.length} orders`,
    value: quantile(waits, share),
    unit: 'ms',
    target: { atMost },
  });
  return [result('p50', 0.5, 5), result('p99', 0.99, 25)];
}
