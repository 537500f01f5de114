import { parseArgs } from 'node:util';
import type { Db } from '../db/db.ts';
import type { KnownProvider } from '../domain/payment/merchant-accounts/merchant-accounts.ts';
import { METHODS } from '../domain/payment/methods/method-table.ts';
import { TrialFailed, tryProvider } from '../domain/payment/provider-health/try-provider.ts';
import { ACCOUNT_PROBLEMS } from '../domain/payment/providers/base/problems.ts';
import type { OpenedAccount } from '../domain/payment/providers/base/provider.ts';
import { deleteTrialCharges } from '../domain/payment/providers/base/provider-charge.sql.ts';
import { AppError } from '../kit/app-error.ts';

const USAGE = `Usage: provider try [name] [--currency EUR] [--wait minutes]

Walks through one payment with a provider's own test keys and prints each answer:
authorize, ask (what the provider holds while your game decides), capture, refund.
The keys come from the settings of each provider; the guide "Go live" names them. Live keys are refused.`;

export interface ProviderCommandDeps {
  db: Db;
  providers: readonly KnownProvider[];
  nowMs: () => number;
  write: (line: string) => void;
  writeError: (line: string) => void;
  pause: () => Promise<void>;
  /** How long one pause is. */
  pauseSeconds: number;
}

/** What is not one of the trial's own payments is never looked at. */
const TRIAL_ACCOUNT = 'trial';

async function tryOne(deps: ProviderCommandDeps, known: KnownProvider, wanted: Wanted): Promise<boolean> {
  const { write, writeError } = deps;
  const keys = known.keys!;
  let opened: OpenedAccount = { ...keys, accountId: TRIAL_ACCOUNT, isTest: true };
  const current = async (): Promise<OpenedAccount> => opened;
  const provider = known.build({ current, byId: current, report: async () => {} }, gateway => gateway);
  write(provider.title);
  const [issue] = provider.keys.issues(keys);
  if (issue) return fail(writeError, `The keys are not in order: ${issue.message}`);
  if (provider.keys.modeOf(keys) === 'live') return fail(writeError, LIVE);
  const asked = await provider.askAccount(keys);
  if ('problem' in asked) return fail(writeError, ACCOUNT_PROBLEMS[asked.problem]);
  if (asked.isTest === false) return fail(writeError, LIVE);
  opened = { ...opened, isTest: asked.isTest ?? true };
  const currency = wanted.currency ?? asked.seen.defaultCurrency ?? 'USD';
  write(`account    ${asked.accountId}, ${asked.seen.country ?? 'country not told'}, ${currency}`);
  const methods = METHODS.map(({ id }) => id).filter(id => provider.abilities.methods.has(id));
  try {
    const site = { host: null, methods, nowMs: deps.nowMs() };
    const looks = Math.ceil((wanted.waitMinutes * 60) / deps.pauseSeconds);
    await tryProvider({ ...deps, provider, account: opened, currency, site, looks });
    write('Every step was answered as expected.');
    return true;
  } catch (error) {
    if (error instanceof TrialFailed) return fail(writeError, error.message);
    // What a provider says may quote the keys; the kind of the error says enough.
    const what = error instanceof AppError ? error.message : (error as Error).name;
    return fail(writeError, `The provider gave no answer that can be read: ${what}`);
  } finally {
    await deleteTrialCharges(deps.db, TRIAL_ACCOUNT);
  }
}

const LIVE = 'These are live keys. A trial takes and returns money, so it takes keys of the test mode only.';

function fail(writeError: (line: string) => void, reason: string): boolean {
  writeError(reason);
  return false;
}

interface Wanted {
  currency: string | undefined;
  waitMinutes: number;
}

const DEFAULT_WAIT_MINUTES = 10;

function readArguments(argv: string[]): ({ name: string | undefined } & Wanted) | null {
  const options = { currency: { type: 'string' }, wait: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
    const [verb, name, ...more] = positionals;
    const waitMinutes = Number(values.wait ?? DEFAULT_WAIT_MINUTES);
    if (verb !== 'try' || more.length > 0 || !(waitMinutes >= 0)) return null;
    return { name, currency: values.currency?.toUpperCase(), waitMinutes };
  } catch {
    return null;
  }
}

export async function runProvider(argv: string[], deps: ProviderCommandDeps): Promise<number> {
  const wanted = readArguments(argv);
  if (!wanted) {
    deps.writeError(USAGE);
    return 2;
  }
  const chosen = deps.providers.filter(({ name, keys }) => keys && (wanted.name ?? name) === name);
  if (chosen.length === 0) {
    deps.writeError(`No test keys are in the settings${wanted.name ? ` for ${wanted.name}` : ''}.\n\n${USAGE}`);
    return 2;
  }
  let isGood = true;
  for (const known of chosen) isGood = (await tryOne(deps, known, wanted)) && isGood;
  return isGood ? 0 : 1;
}
