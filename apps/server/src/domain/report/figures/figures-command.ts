import { parseArgs } from 'node:util';
import type { Db } from '../../../db/db.ts';
import { findFigureTotals } from './figures.sql.ts';
import { rebuildFigures } from './rebuild-figures.ts';
import { rollUpAttempts } from './roll-up-attempts.ts';
import { rollUpEvents } from './roll-up-events.ts';
import { rollUpOrders } from './roll-up-orders.ts';

export interface FiguresCommandDeps {
  db: Db;
  /** Waits a moment: a roll-up looks twice before it trusts what it sees. */
  pause(): Promise<void>;
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const USAGE = 'npm run figures    count the figures of the dashboard anew, from all events, orders and attempts';

/** Noting how far events go, and which transactions there are, are two rounds without news; a third may wait for a long one. */
const QUIET_ROUNDS = 6;

async function rollUpAll({ db, pause }: FiguresCommandDeps): Promise<void> {
  await rollUpOrders(db);
  while (await rollUpAttempts(db));
  for (let quiet = 0; quiet < QUIET_ROUNDS; ) {
    if (await rollUpEvents(db)) quiet = 0;
    else {
      quiet++;
      await pause();
    }
  }
}

/** The `figures` command. Workers may run meanwhile: each figure is counted once, whoever counts it. */
export async function runFigures(argv: string[], deps: FiguresCommandDeps): Promise<number> {
  try {
    const { help } = parseArgs({ args: argv, options: { help: { type: 'boolean' } } }).values;
    if (help) {
      deps.write(USAGE);
      return 0;
    }
  } catch (error) {
    deps.writeError(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  await rebuildFigures(deps.db);
  await rollUpAll(deps);
  const { orders, paid, attempts } = await findFigureTotals(deps.db);
  deps.write(`Counted anew: ${orders} orders, ${paid} of them paid, ${attempts} deliveries attempted.`);
  deps.write('What happened in the last minute follows by itself while a worker runs.');
  return 0;
}
