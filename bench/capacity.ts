import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openLab } from './lab.ts';
import { capacityOf, capacityText, measureCapacity } from './measures/capacity.ts';

const HELP = `npm run capacity [-- --disk FOLDER] [--seconds 20] [--orders 100000] [--json]

Pays sandbox orders on this machine for some seconds, on loopback and in a database of its own, and says what the machine and the
disk will hold.

  --disk     where the database would be; the orders are written there, and removed again. Default: the current folder
  --seconds  how long to pay; about twenty seconds more for the start and the end
  --orders   pay no more than these
  --json     the figures for a program
`;

const { values } = parseArgs({
  options: {
    disk: { type: 'string', default: '.' },
    seconds: { type: 'string', default: '20' },
    orders: { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The folder of a database that is not there yet has its disk all the same. */
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}

async function main(): Promise<number> {
  const [seconds, mostOrders] = [Number(values.seconds), Number(values.orders)];
  const fits = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most;
  if (values.help || !fits(seconds, 600) || !fits(mostOrders, 1_000_000)) {
    process.stderr.write(HELP);
    return values.help ? 0 : 2;
  }
  const disk = existing(resolve(values.disk));
  // The lab makes its folder there, so that commits wait for the disk that is meant.
  process.env.TMPDIR = disk;
  const { bavail, bsize } = statfsSync(disk);
  const lab = await openLab([]);
  let isInterrupted = false;
  const interrupted = new Promise<null>(stop => {
    const end = (): void => {
      isInterrupted = true;
      stop(null);
    };
    process.on('SIGINT', end).on('SIGTERM', end);
  });
  try {
    const plan = { warmUpOrders: Math.min(300, mostOrders), seconds, mostOrders };
    const measured = await Promise.race([measureCapacity(lab, plan), interrupted]);
    if (!measured) return 130;
    const capacity = capacityOf(measured, bavail * bsize);
    process.stdout.write(`${values.json ? JSON.stringify(capacity) : capacityText(capacity, disk)}\n`);
    return 0;
  } catch (error) {
    if (isInterrupted) return 130;
    throw error;
  } finally {
    await lab.close();
  }
}

process.exitCode = await main();
