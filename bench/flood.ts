import { openLab } from './lab.ts';
import { measureFlood } from './measures/flood.ts';
import { isMet, tableOf } from './result.ts';

const BUDGETS = [
  ['requests', 'BUDGET_REQUESTS_PER_MINUTE'],
  ['sandbox orders', 'BUDGET_SANDBOX_ORDERS_PER_DAY'],
] as const;

/** `npm run bench -- flood`: whether one tenant's flood slows another's payment, in three minutes. */
const lab = await openLab([]);
try {
  const server = await lab.startServer(lab.databaseUrl, { RATE_LIMIT_PER_MINUTE: '1000' });
  const results = await measureFlood(server);
  await server.stop();
  // Without a limit of the key, so that the budget of its company ends the flood.
  for (const [what, setting] of BUDGETS) {
    const budgeted = await lab.startServer(await lab.createDatabase(`flood_${setting.toLowerCase()}`), {
      [setting]: '1000',
    });
    const { sandboxKey: key } = await lab.register(budgeted.databaseUrl, 'flooder');
    results.push(...(await measureFlood(budgeted, { beyond: `a company's flood beyond its ${what}`, key })));
    await budgeted.stop();
  }
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
