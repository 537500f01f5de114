import { openLab } from './lab.ts';
import { loadsOf, measureFlood, ordersBy } from './measures/flood.ts';
import { isMet, tableOf } from './result.ts';

const BUDGETS = [
  ['requests', 'BUDGET_REQUESTS_PER_MINUTE'],
  ['sandbox orders', 'BUDGET_SANDBOX_ORDERS_PER_DAY'],
] as const;

const NAMES = ['games', 'keys', 'mails', 'exams', 'streams', 'storage'];

const OTHERS = {
  BUDGET_REQUESTS_PER_MINUTE: '10000',
  BUDGET_GAMES: '1',
  BUDGET_KEYS: '4',
  BUDGET_EXAMS_PER_HOUR: '1',
  BUDGET_STREAMS: '10',
  BUDGET_STORAGE_MB_PER_DAY: '100',
};

/** `npm run bench -- flood`: whether one tenant's flood slows another's payment, for each budget, in ten minutes. */
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
    results.push(
      ...(await measureFlood(budgeted, { beyond: `a company's flood beyond its ${what}`, load: ordersBy(key) })),
    );
    await budgeted.stop();
  }
  // What else a company may use, each by a company of its own and with the budget of requests that production has.
  const others = await lab.startServer(await lab.createDatabase('flood_others'), OTHERS);
  for (const what of NAMES) {
    const account = await lab.register(others.databaseUrl, what);
    const load = (await loadsOf(others.port, account))[what]!;
    results.push(...(await measureFlood(others, { beyond: `a company's flood beyond its ${what}`, load })));
  }
  await others.stop();
  process.stdout.write(`${tableOf(results)}\n`);
  process.exitCode = results.every(isMet) ? 0 : 1;
} finally {
  await lab.close();
}
