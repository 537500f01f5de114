import { parseArgs } from 'node:util';
import type { Db } from '../db/db.ts';
import { findFigureTotals } from '../domain/reporting/figures/figures.sql.ts';
import { rebuildFigures, rollUpAttempts, rollUpEvents, rollUpOrders } from '../domain/reporting/figures/roll-up.ts';

export interface FiguresCommandDeps {
  db: Db;
  /** Waits a moment, for transactions that are under way. */
  pause(): Promise<void>;
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const USAGE = 'npm run figures    count the figures of the dashboard anew, from all events, orders and attempts';

/** How often to look again for what is under way; what takes longer is left to the workers. */
const QUIET_ROUNDS = 3;

async function rollUpAll({ db, pause }: FiguresCommandDeps): Promise<void> {
  while (await rollUpAttempts(db));
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
    if (quiet > 0) await pause();
    while (await rollUpOrders(db));
    while (await rollUpEvents(db));
  }
}

/** The `figures` command. Workers may run meanwhile: each event, order and attempt is counted once by one of them. */
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
  deps.write('Deliveries of the last minute follow by themselves while a worker runs.');
  return 0;
}
