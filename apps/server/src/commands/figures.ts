import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import { findFigureTotals } from '../domain/reporting/figures/figures.sql.ts';
import { rebuildFigures, rollUpAttempts, rollUpEvents, rollUpOrders } from '../domain/reporting/roll-ups/roll-up.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand } from './command.ts';
import { withDb } from './open.ts';

interface OpenedFigures {
  db: Db;
  pause(): Promise<void>;
}

const ROUND_PAUSE_MS = 500;
/** Rounds that wait for transactions in progress. Workers count what takes longer. */
const QUIET_ROUNDS = 3;

async function rollUpAll({ db, pause }: OpenedFigures): Promise<void> {
  while (await rollUpAttempts(db));
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
    if (quiet > 0) await pause();
    while (await rollUpOrders(db));
    while (await rollUpEvents(db));
  }
}

/** Workers may run at the same time: each event, order and attempt is still counted once. */
export const figuresCommand = defineCommand<OpenedFigures>({
  name: 'figures',
  summary: 'Counts the figures of the dashboard again, from all events, orders and attempts.',
  open: work => withDb(loadConfig(), db => work({ db, pause: () => delay(ROUND_PAUSE_MS) })),
  async run(opened) {
    await rebuildFigures(opened.db);
    await rollUpAll(opened);
    const { orders, paid, attempts } = await findFigureTotals(opened.db);
    opened.write(`Recounted: ${orders} orders, ${paid} of them paid, ${attempts} deliveries attempted.`);
    opened.write('Deliveries of the last minute are added while a worker runs.');
    return 0;
  },
});
