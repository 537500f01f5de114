import { type BenchServer, openLab } from './lab.ts';
import { type Flood, floodOf, loadsOf, measureFlood, ordersBy, QUICK_ROUNDS, WHOLE_ROUNDS } from './measures/flood.ts';
import { measureProviderFlood } from './measures/provider-flood.ts';
import { isMet, type Result, tableOf } from './result.ts';

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

/**
 * `npm run bench -- flood`: whether one tenant's flood slows another's payment, for each budget, in ten minutes. `--quick` takes short
 * rounds; a name behind it, such as `keys` or `providers`, measures that budget alone.
 */
const options = process.argv.slice(2);
const rounds = options.includes('--quick') ? QUICK_ROUNDS : WHOLE_ROUNDS;
const wanted = options.filter(option => !option.startsWith('--'));
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

const lab = await openLab([]);
const results: Result[] = [];
const failures: string[] = [];

/** A flood that cannot be measured is said at the end, after the table of the others. */
async function measure(name: string, work: () => Promise<Result[]>): Promise<void> {
  if (!isWanted(name)) return;
  process.stderr.write(`${name} …\n`);
  try {
    results.push(...(await work()));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function measureAndStop(server: BenchServer, flood: Flood): Promise<Result[]> {
  try {
    return await measureFlood(server, rounds, flood);
  } finally {
    await server.stop();
  }
}

async function measureKey(): Promise<Result[]> {
  const server = await lab.startServer(lab.databaseUrl, { RATE_LIMIT_PER_MINUTE: '1000' });
  const flood = floodOf(server.port, ordersBy(server.account.liveKey));
  return measureAndStop(server, { beyond: "another tenant's flood", flood });
}

// Without a limit of the key, so that the budget of its company ends the flood.
async function measureBudget(what: string, setting: string): Promise<Result[]> {
  const server = await lab.startServer(await lab.createDatabase(`flood_${setting.toLowerCase()}`), {
    [setting]: '1000',
  });
  const { sandboxKey: key } = await lab.register(server.databaseUrl, 'flooder');
  const flood = floodOf(server.port, ordersBy(key));
  return measureAndStop(server, { beyond: `a company's flood beyond its ${what}`, flood });
}

/** What else a company may use, each by a company of its own and with the budget of requests that production has. */
async function measureOthers(): Promise<void> {
  if (!NAMES.some(isWanted)) return;
  const server = await lab.startServer(await lab.createDatabase('flood_others'), OTHERS);
  try {
    for (const what of NAMES)
      await measure(what, async () => {
        const account = await lab.register(server.databaseUrl, what);
        const flood = floodOf(server.port, (await loadsOf(server.port, account))[what]!);
        return measureFlood(server, rounds, { beyond: `a company's flood beyond its ${what}`, flood });
      });
  } finally {
    await server.stop();
  }
}

try {
  await measure('orders', measureKey);
  for (const [what, setting] of BUDGETS) await measure(what, () => measureBudget(what, setting));
  await measureOthers();
  await measure('providers', () => measureProviderFlood(lab, rounds));
} finally {
  await lab.close();
}
process.stdout.write(`${tableOf(results)}\n`);
const slower = results.filter(result => !isMet(result));
process.stdout.write(
  slower.length === 0
    ? `Beside each of the ${results.length} floods a payment of another company takes at most a fifth longer.\n`
    : `More than a fifth longer: ${slower.map(({ what }) => what).join('; ')}.\n`,
);
for (const failure of failures) process.stderr.write(`Not measured: ${failure}\n`);
process.exitCode = failures.length === 0 && slower.length === 0 ? 0 : 1;
