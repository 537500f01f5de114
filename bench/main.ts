import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { type BenchServer, type Lab, openLab } from './lab.ts';
import { measureCreation } from './measures/creation.ts';
import { measureDeliveries } from './measures/deliveries.ts';
import { measureFanOut } from './measures/fan-out.ts';
import { measureFirstByte } from './measures/first-byte.ts';
import { measureGrowth } from './measures/growth.ts';
import { measurePrices } from './measures/prices.ts';
import { FULL, type Plan, QUICK } from './plan.ts';
import { isMet, type Result, tableOf } from './result.ts';
import { watchMemory } from './watch-memory.ts';

const HELP = `npm run bench [-- --quick] [--save] [--profile]

  --quick    fewer and shorter rounds, and no table of 2,000,000 orders
  --save     also write the table to bench/results/
  --profile  the server writes a CPU profile into the current folder when it stops
`;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function measureServer(lab: Lab, server: BenchServer, plan: Plan): Promise<Result[]> {
  const memory = watchMemory(server.pid);
  say('order creation, inserts and whole orders …');
  const creation = await measureCreation(lab, server, plan);
  say('prices of the catalog …');
  const prices = await measurePrices(lab, server, plan);
  say('webhook deliveries …');
  const deliveries = await measureDeliveries(lab, server, plan);
  const value = memory.stop();
  const resident: Result = {
    what: 'resident memory of the server under this load',
    measured: 'most at any look',
    value,
    unit: 'MB',
    target: { atMost: 160 },
  };
  say('fan-out …');
  return [...creation, ...prices, ...deliveries, resident, ...(await measureFanOut(lab, server, plan))];
}

async function measureAll(lab: Lab, plan: Plan): Promise<Result[]> {
  const server = await lab.startServer(lab.databaseUrl);
  const results = await measureServer(lab, server, plan);
  await server.stop();
  say('commit to first byte …');
  results.push(...(await measureFirstByte(lab, server, plan)));
  if (plan.largeTableOrders === 0) return results;
  say(`loading ${plan.largeTableOrders.toLocaleString('en')} orders …`);
  return [...results, ...(await measureGrowth(lab, plan))];
}

async function save(table: string): Promise<void> {
  const folder = new URL('results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores`;
  await writeFile(new URL(`${day}.md`, folder), `# ${day}\n\n${machine}\n\n${table}\n`);
}

async function main(args: string[]): Promise<number> {
  if (args.some(arg => !['--quick', '--save', '--profile'].includes(arg))) {
    say(HELP);
    return 2;
  }
  const lab = await openLab(args.includes('--profile') ? ['--cpu-prof'] : []);
  const measured = measureAll(lab, args.includes('--quick') ? QUICK : FULL);
  const interrupted = new Promise<null>(resolve => {
    const stop = (): void => {
      say('stopping …');
      resolve(null);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
  try {
    const results = await Promise.race([measured, interrupted]);
    if (!results) return 130;
    const table = tableOf(results);
    process.stdout.write(`${table}\n`);
    if (args.includes('--save')) await save(table);
    return results.every(isMet) ? 0 : 1;
  } finally {
    await lab.close();
  }
}

// What an interrupted measurement still waits for must not hold the end up.
process.exit(await main(process.argv.slice(2)));
