import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/db.ts';
import type { KnownProvider } from '../domain/payment/merchant-accounts/merchant-accounts.ts';
import { METHODS } from '../domain/payment/methods/method-table.ts';
import { TrialFailed, tryProvider } from '../domain/payment/provider-health/try-provider.ts';
import type { Gateway } from '../domain/payment/providers/base/gateway.ts';
import { accountProblemText } from '../domain/payment/providers/base/problems.ts';
import type { AnsweredCall, OpenedAccount } from '../domain/payment/providers/base/provider.ts';
import { deleteTrialCharges } from '../domain/payment/providers/base/provider-charge.sql.ts';
import { AppError } from '../kit/app-error.ts';
import { systemClock } from '../kit/clock.ts';
import { createSeal } from '../kit/seal.ts';
import { knownProviders } from '../program/known-providers.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, type Io, UsageError } from './command.ts';
import { VERSION, withDb } from './open.ts';

interface OpenedProviders {
  db: Db;
  providers: readonly KnownProvider[];
  nowMs: () => number;
  pause: () => Promise<void>;
  pauseSeconds: number;
  /** Filled by the providers with each call that they make. */
  answers: AnsweredCall[];
}

/** Marks the charges of a trial, so that no other charge is touched. */
const TRIAL_ACCOUNT = 'trial';

async function tryOne(trial: OpenedProviders & Io, known: KnownProvider, wanted: Wanted): Promise<boolean> {
  const { write, writeError } = trial;
  const keys = known.keys!;
  let opened: OpenedAccount = { ...keys, accountId: TRIAL_ACCOUNT, isTest: true };
  const current = async (): Promise<OpenedAccount> => opened;
  const provider = known.build({ current, byId: current, report: async () => {} }, gateway => gateway);
  write(provider.title);
  const [issue] = provider.keys.issues(keys);
  if (issue) return fail(writeError, `The keys are not valid: ${issue.message}`);
  if (provider.keys.modeOf(keys) === 'live') return fail(writeError, LIVE);
  const asked = await provider.askAccount(keys);
  if ('problem' in asked) return fail(writeError, accountProblemText(asked.problem));
  if (asked.isTest === false) return fail(writeError, LIVE);
  opened = { ...opened, isTest: asked.isTest ?? true };
  const currency = wanted.currency ?? asked.seen.defaultCurrency ?? 'USD';
  write(`account    ${asked.accountId}, ${asked.seen.country ?? 'country unknown'}, ${currency}`);
  const methods = METHODS.map(({ id }) => id).filter(id => provider.abilities.methods.has(id));
  try {
    const site = { host: null, methods, nowMs: trial.nowMs() };
    const looks = Math.ceil((wanted.waitMinutes * 60) / trial.pauseSeconds);
    const takeAnswers = (): AnsweredCall[] => trial.answers.splice(0);
    await tryProvider({ ...trial, provider, account: opened, currency, site, looks, takeAnswers });
    write('Every step was answered as expected.');
    return true;
  } catch (error) {
    if (error instanceof TrialFailed) return fail(writeError, error.message);
    // A provider's message may quote the keys, so only the kind of the error is shown.
    const what = error instanceof AppError ? error.message : (error as Error).name;
    return fail(writeError, `The provider gave no valid answer: ${what}`);
  } finally {
    await deleteTrialCharges(trial.db, TRIAL_ACCOUNT);
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
const PAUSE_SECONDS = 3;

/** Tests our assumptions about a provider with its own test keys. */
export const providerCommand = defineCommand<OpenedProviders, { currency?: string; wait: string }>({
  name: 'provider <action> [name]',
  summary: "Tries a payment with a provider's own test keys: provider try.",
  more: `It prints each answer: authorize, ask (what the provider holds while your game decides), capture, refund; and below each
step the calls that it took, with the request id by which the provider's support finds them.
The keys come from the settings of each provider; the guide "Go live" names them. Live keys are refused.`,
  options: command =>
    command
      .option('--currency <code>', "the payment's currency; without it the account's own")
      .option('--wait <minutes>', 'how long to wait for an approval', String(DEFAULT_WAIT_MINUTES)),
  async open(work) {
    const config = loadConfig();
    const seal = createSeal(await masterKey(config));
    return withDb(config, db => {
      const answers: AnsweredCall[] = [];
      const onAnswer = (answered: AnsweredCall): void => void answers.push(answered);
      const watch = { watchGateway: (gateway: Gateway) => gateway, onRefusal: () => {}, onAnswer };
      const providers = knownProviders({ config, version: VERSION, db, seal, ...watch });
      const pause = (): Promise<void> => delay(PAUSE_SECONDS * 1000);
      return work({ db, providers, nowMs: systemClock.nowMs, pause, pauseSeconds: PAUSE_SECONDS, answers });
    });
  },
  async run(opened, [action, name], { currency, wait }) {
    const waitMinutes = Number(wait);
    if (action !== 'try') throw new UsageError('The action is try.');
    if (!(waitMinutes >= 0)) throw new UsageError('--wait is a number of minutes.');
    const chosen = opened.providers.filter(known => known.keys && (name ?? known.name) === known.name);
    if (chosen.length === 0) throw new UsageError(`No test keys are in the settings${name ? ` for ${name}` : ''}.`);
    let isGood = true;
    for (const known of chosen)
      isGood = (await tryOne(opened, known, { currency: currency?.toUpperCase(), waitMinutes })) && isGood;
    return isGood ? 0 : 1;
  },
});
