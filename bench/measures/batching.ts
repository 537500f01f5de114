import type { BatchingSwitches } from '../../apps/server/src/db/batching/batching.ts';
import type { BenchProgram, Lab } from '../lab.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { Variant } from '../programs/variant-server.ts';
import type { Result } from '../result.ts';
import { countPaid, subscribe } from '../shop.ts';
import { median, medianRatio } from '../statistics.ts';

export interface VariantPlan {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}

const PLAYERS = 20_000;
const VARIANTS: { name: string; batching: Partial<BatchingSwitches> }[] = [
  { name: 'without shared commits', batching: { sharedCommits: false } },
  { name: 'without batched rows', batching: { batchedRows: false } },
  { name: 'without coalescing', batching: { coalescing: false } },
];

interface Rates {
  whole: number[];
  wholeCpuMs: number[];
  created: number[];
  createdCpuMs: number[];
}

const emptyRates = (): Rates => ({ whole: [], wholeCpuMs: [], created: [], createdCpuMs: [] });

interface Track {
  lab: Lab;
  plan: VariantPlan;
  orders: BenchProgram;
  players: BenchProgram;
  receiverPort: number;
}

interface Contestant {
  /** One after the other: whole orders, then creations. */
  run(ms: number, rates: Rates): Promise<void>;
  stop(): Promise<void>;
}

let databases = 0;

async function enter(track: Track, batching: Partial<BatchingSwitches>): Promise<Contestant> {
  const { lab } = track;
  const databaseUrl = await lab.createDatabase(`variant_${++databases}`);
  const key = (await lab.register(databaseUrl)).sandboxKey;
  const program = await lab.startProgram('variant-server');
  const variant: Variant = { databaseUrl, masterKey: lab.masterKey, batching };
  const port = await program.ask<number>(variant);
  await subscribe(port, key, ['item.add', 'item.remove'], track.receiverPort);
  const cpuMsOf = async <T>(work: Promise<T>, before: number): Promise<[T, number]> => {
    const result = await work;
    return [result, ((await program.ask<number>('cpu')) - before) / 1000];
  };
  return {
    stop: () => program.stop(),
    async run(ms, rates) {
      const orders = Number.MAX_SAFE_INTEGER;
      const buying: PlayerLoad = { port, key, atOnce: 32, players: PLAYERS, ms, orders };
      const cpuBefore = await program.ask<number>('cpu');
      const [bought, wholeCpuMs] = await cpuMsOf(track.players.ask<PlayerLoadResult>(buying), cpuBefore);
      const paid = await countPaid(databaseUrl, bought.orderIds);
      rates.whole.push(paid / bought.seconds);
      rates.wholeCpuMs.push(wholeCpuMs / paid);
      const creating: OrderLoad = { port, key, connections: 128, players: PLAYERS, ms };
      const cpuBetween = await program.ask<number>('cpu');
      const [made, createdCpuMs] = await cpuMsOf(track.orders.ask<OrderLoadResult>(creating), cpuBetween);
      rates.created.push(made.perSecond);
      rates.createdCpuMs.push(createdCpuMs / (made.perSecond * (ms / 1000)));
    },
  };
}

const spread = (values: readonly number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

const rateResult = (what: string, [rate, cpuMs]: number[][], [against, cpuMsAgainst]: number[][]): Result => ({
  what,
  measured: `${spread(rate!, 0)}/s to ${spread(against!, 0)}/s; Node ${median(cpuMs!).toFixed(3)} to ${median(cpuMsAgainst!).toFixed(3)} ms each`,
  value: medianRatio(rate!, against!),
  unit: '×',
  target: null,
});

/** In turns with the program as it ships: what slows the machine slows both of one round. */
async function compare(track: Track, name: string, batching: Partial<BatchingSwitches>): Promise<Result[]> {
  const { rounds, roundMs, warmUpMs } = track.plan;
  const pair = [await enter(track, batching), await enter(track, {})] as const;
  for (const contestant of pair) await contestant.run(warmUpMs, emptyRates());
  const [less, all] = [emptyRates(), emptyRates()];
  for (let round = 0; round < rounds; round++) {
    await pair[0].run(roundMs, less);
    await pair[1].run(roundMs, all);
  }
  for (const contestant of pair) await contestant.stop();
  return [
    rateResult(`whole orders ${name}`, [less.whole, less.wholeCpuMs], [all.whole, all.wholeCpuMs]),
    rateResult(`creations ${name}`, [less.created, less.createdCpuMs], [all.created, all.createdCpuMs]),
  ];
}

/** What is lost without each kind of batching. */
export async function measureBatching(lab: Lab, plan: VariantPlan): Promise<Result[]> {
  const receiver = await lab.startProgram('receiver');
  const track: Track = {
    lab,
    plan,
    receiverPort: await receiver.ask<number>('port'),
    orders: await lab.startProgram('order-load'),
    players: await lab.startProgram('player-load'),
  };
  const results: Result[] = [];
  for (const { name, batching } of VARIANTS) results.push(...(await compare(track, name, batching)));
  return results;
}
