import { parseArgs } from 'node:util';
import { type DueDeps, reconcileAll } from '../domain/reconciliation/reconcile-due.ts';

export interface ReconcileCommandDeps extends DueDeps {
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const USAGE = `npm run reconcile -- --day 2026-01-31    compare that day (UTC) with the payment provider, also again
  --json                                print one JSON value`;

const options = { day: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

function readArgs(argv: string[]) {
  try {
    return parseArgs({ args: argv, options }).values;
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** The `reconcile` command. Exit code 1 when a provider could not be asked. */
export async function runReconcile(argv: string[], deps: ReconcileCommandDeps): Promise<number> {
  const args = readArgs(argv);
  if ('problem' in args) {
    deps.writeError(`${args.problem}\n\n${USAGE}`);
    return 2;
  }
  if (args.help) {
    deps.write(USAGE);
    return 0;
  }
  if (args.day === undefined || !isDay(args.day)) {
    deps.writeError(`Say which day: --day YYYY-MM-DD\n\n${USAGE}`);
    return 2;
  }
  const compared = await reconcileAll(deps, args.day, true);
  if (args.json) deps.write(JSON.stringify(compared));
  else if (compared.length === 0) deps.write('No payment provider is connected, so there is nothing to compare.');
  for (const { accountId, counts, problem } of args.json ? [] : compared) {
    deps.write(
      counts
        ? `${accountId}  ${counts.payments} payments, ${counts.refunds} refunds, ${counts.disputes} disputes, ${counts.differences} differences`
        : `${accountId}  ${problem ?? 'Another process compares it now.'}`,
    );
  }
  return compared.some(({ problem }) => problem !== null) ? 1 : 0;
}
