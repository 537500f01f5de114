import type { BenchServer, Lab } from '../lab.ts';
import type { Plan } from '../plan.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { Result } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

const CONNECTIONS = 128;

/** `PROCESSES=auto` to one process, in turns; each has a database of its own on the same PostgreSQL. */
export async function measureProcesses(lab: Lab, plan: Plan): Promise<Result[]> {
  const one = await lab.startServer(await lab.createDatabase('one'), { PROCESSES: '1', DATABASE_CONNECTIONS: '30' });
  const auto = await lab.startServer(await lab.createDatabase('auto'), {
    PROCESSES: 'auto',
    DATABASE_CONNECTIONS: '40',
  });
  const orderLoad = await lab.startProgram('order-load');
  const rate = async ({ port, account }: BenchServer, ms: number): Promise<number> => {
    const load: OrderLoad = { port, key: account.sandboxKey, connections: CONNECTIONS, players: plan.players, ms };
    return (await orderLoad.ask<OrderLoadResult>(load)).perSecond;
  };
  const rates: Record<'one' | 'auto', number[]> = { one: [], auto: [] };
  for (const server of [one, auto]) await rate(server, plan.warmUpMs);
  for (let round = 0; round < plan.rounds; round++) {
    rates.one.push(await rate(one, plan.roundMs));
    rates.auto.push(await rate(auto, plan.roundMs));
  }
  await Promise.all([orderLoad.stop(), one.stop(), auto.stop()]);
  return [
    {
      what: `order creation with PROCESSES=auto to one process, ${CONNECTIONS} connections`,
      measured: `${Math.round(median(rates.auto))}/s to ${Math.round(median(rates.one))}/s`,
      value: medianRatio(rates.auto, rates.one),
      unit: '×',
      target: { atLeast: 0.9 },
    },
  ];
}
