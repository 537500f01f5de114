import type { PurchaseShop } from '../domain/purchase/engine/purchase.ts';
import { reconcileAll } from '../domain/reconciliation/reconcile-due.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, UsageError } from './command.ts';
import { connectTo, withProgram } from './open.ts';

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** A worker compares once a day; the command repeats it at any time. The exit code is 1 when a provider gave no answer. */
export const reconcileCommand = defineCommand<PurchaseShop, { day?: string; json?: boolean }>({
  name: 'reconcile',
  summary: 'Compares a day with the payment provider, even if it was compared before.',
  options: command =>
    command.option('--day <date>', 'the day (UTC), such as 2026-01-31').option('--json', 'print one JSON value'),
  async open(work) {
    const config = loadConfig();
    const database = await connectTo(config);
    try {
      return await withProgram(config, database.url, async program => {
        await program.start();
        return work(program.purchasing);
      });
    } finally {
      await database.stop();
    }
  },
  async run(shop, _, { day, json }) {
    if (day === undefined || !isDay(day)) throw new UsageError('Say which day: --day YYYY-MM-DD');
    const compared = await reconcileAll(shop, day, true);
    if (json) shop.write(JSON.stringify(compared));
    else if (compared.length === 0) shop.write('No payment provider is connected, so there is nothing to compare.');
    for (const { accountId, counts, problem } of json ? [] : compared) {
      shop.write(
        counts
          ? `${accountId}  ${counts.payments} payments, ${counts.refunds} refunds, ${counts.disputes} disputes, ${counts.differences} differences`
          : `${accountId}  ${problem ?? 'Another process is comparing it now.'}`,
      );
    }
    return compared.some(({ problem }) => problem !== null) ? 1 : 0;
  },
});
