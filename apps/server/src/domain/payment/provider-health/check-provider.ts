import type { Tx } from '../../../db/db.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { decimalText } from '../../../kit/money.ts';
import { probeCallback, type Reached } from '../callbacks/probe-callback.ts';
import { callbackUrl } from '../merchant-accounts/account-secrets.ts';
import { modeProblem, type ProviderDeps } from '../merchant-accounts/connect-provider.ts';
import {
  findCurrentAccount,
  type ProviderAccount,
  updateAccountChecked,
} from '../merchant-accounts/provider-account.sql.ts';
import { readMethodSwitches } from '../methods/find-method-switches.ts';
import { METHODS } from '../methods/method-table.ts';
import { isSwitchedOn } from '../methods/methods.ts';
import { failed, fine, unknown, warning } from '../providers/base/checks.ts';
import { ACCOUNT_PROBLEM_TEXTS, type AccountProblem, type Advice } from '../providers/base/problems.ts';
import type { AskedAccount, Check, Inspection, OpenedAccount, RegisteredCallback } from '../providers/base/provider.ts';
import { brokenChecks, type KeptCheck } from './broken-checks.ts';
import { findChecks, findLiveEnvironment, listLivePrices, upsertChecks } from './provider-check.sql.ts';

export type CallbackState = 'working' | 'secret_missing' | 'not_registered' | 'unknown';

export interface CheckDeps extends ProviderDeps {
  nowMs: () => number;
  /** Asks an address of this program from outside. */
  reach?: (url: string) => Promise<Reached>;
}

export interface CheckProvider {
  companyId: string;
  account: OpenedAccount;
  /** The keys came with the program's settings. */
  isOfSettings: boolean;
}

export interface CheckedProvider {
  ok: boolean;
  /** Null for keys of the settings. */
  account: ProviderAccount | null;
  callback: CallbackState;
  checks: KeptCheck[];
}

const PROBLEM_ADVICE: Record<AccountProblem, Advice> = {
  provider_key_invalid: {
    en: 'Copy the secret key again, whole, from the page of API keys at the provider.',
    de: 'Kopieren Sie den geheimen Schlüssel noch einmal vollständig von der Seite der API-Schlüssel beim Anbieter.',
  },
  provider_key_revoked: {
    en: 'Make a new secret key at the provider and save it here.',
    de: 'Erstellen Sie beim Anbieter einen neuen geheimen Schlüssel und speichern Sie ihn hier.',
  },
  provider_key_wrong_mode: {
    en: 'Switch the provider to live mode and copy both keys from there.',
    de: 'Schalten Sie den Anbieter in den Live-Modus und kopieren Sie beide Schlüssel von dort.',
  },
  provider_permission_missing: {
    en: 'Give the restricted key the permissions that the guide lists, or use a secret key.',
    de: 'Geben Sie dem eingeschränkten Schlüssel die Berechtigungen aus der Anleitung, oder verwenden Sie einen geheimen Schlüssel.',
  },
  provider_account_not_active: {
    en: 'Finish the activation of the account at the provider: it may not take payments yet.',
    de: 'Schließen Sie die Aktivierung des Kontos beim Anbieter ab: Es darf noch keine Zahlungen annehmen.',
  },
};

const CALLBACK_ADVICE = {
  secret_missing: {
    en: 'Save the signing secret of the callback here, or let Coinslot register the callback.',
    de: 'Speichern Sie hier das Signaturgeheimnis des Callbacks, oder lassen Sie Coinslot den Callback registrieren.',
  },
  not_registered: {
    en: 'Register the callback at the provider, or let Coinslot do it. Without it news arrives late.',
    de: 'Registrieren Sie den Callback beim Anbieter, oder lassen Sie es Coinslot tun. Ohne ihn kommen Nachrichten spät an.',
  },
} as const;

const together = (one: Advice, other: Advice): Advice => ({ en: `${one.en} ${other.en}`, de: `${one.de} ${other.de}` });

function accountCheck(asked: AskedAccount): Check {
  const problem = 'problem' in asked ? asked.problem : asked.seen.problemCode;
  return problem === null
    ? fine('account')
    : failed('account', together(ACCOUNT_PROBLEM_TEXTS[problem], PROBLEM_ADVICE[problem]));
}

function modeCheck({ allowTestKeys }: CheckDeps, account: OpenedAccount, asked: AskedAccount): Check {
  const isTest = ('isTest' in asked ? asked.isTest : undefined) ?? account.isTest;
  const problem = modeProblem(isTest ? 'test' : 'live', allowTestKeys);
  if (problem !== null) return failed('mode', problem);
  if (isTest === account.isTest) return fine('mode', isTest ? 'test' : 'live');
  return failed('mode', {
    en: 'The keys are of the other mode than when they were saved. Save them here again.',
    de: 'Die Schlüssel sind von einem anderen Modus als beim Speichern. Speichern Sie sie hier noch einmal.',
  });
}

function stateOf(account: OpenedAccount, registered: RegisteredCallback | null): CallbackState {
  if (account.callbackSecret === null) return 'secret_missing';
  if (registered === null) return 'unknown';
  return registered.isThere && registered.missing.length === 0 ? 'working' : 'not_registered';
}

/** What was set up and does not work is a fault; what was never set up is only a loss of minutes. */
function registrationChecks(account: OpenedAccount, registered: RegisteredCallback | null): Check[] {
  if (account.callbackSecret === null) return [warning('callback', CALLBACK_ADVICE.secret_missing)];
  if (registered === null) return [unknown('callback'), unknown('callback_events')];
  if (!registered.isThere) return [failed('callback', CALLBACK_ADVICE.not_registered)];
  const { missing } = registered;
  if (missing.length === 0) return [fine('callback'), fine('callback_events')];
  const advice = {
    en: `The provider does not send ${missing.join(', ')}.`,
    de: `Der Anbieter sendet ${missing.join(', ')} nicht.`,
  };
  return [fine('callback'), failed('callback_events', together(advice, CALLBACK_ADVICE.not_registered))];
}

async function reachCheck({ publicUrl, allowTestKeys, reach = probeCallback }: CheckDeps, url: string): Promise<Check> {
  if (!publicUrl.startsWith('https://')) {
    const advice = {
      en: 'Providers call an address that begins with https:// only. Set PUBLIC_URL to it.',
      de: 'Anbieter rufen nur eine Adresse auf, die mit https:// beginnt. Setzen Sie PUBLIC_URL darauf.',
    };
    return allowTestKeys ? unknown('callback_reachable') : failed('callback_reachable', advice, publicUrl);
  }
  const reached = await reach(url);
  if (reached === 'ours') return fine('callback_reachable');
  const what = reached === 'other' ? 'Something else than Coinslot answers at' : 'Nothing answers at';
  const was = reached === 'other' ? 'Etwas anderes als Coinslot antwortet' : 'Nichts antwortet';
  const advice = {
    en: `${what} ${url}, asked from this server. Look at PUBLIC_URL, the proxy and the firewall.`,
    de: `${was} unter ${url}, von diesem Server aus gefragt. Prüfen Sie PUBLIC_URL, den Proxy und die Firewall.`,
  };
  return reached === 'other' ? failed('callback_reachable', advice) : warning('callback_reachable', advice);
}

const MOST_NAMED = 5;

/** Items on sale that the provider would refuse, whatever the player does. */
async function priceCheck({ db, provider }: CheckDeps, companyId: string): Promise<Check> {
  const { amountRange, currencies } = provider.abilities;
  const low = (await listLivePrices(db, companyId)).filter(
    ({ currency, priceMinor }) => (currencies?.has(currency) ?? true) && priceMinor < amountRange(currency).min,
  );
  if (low.length === 0) return fine('minimum_amounts');
  const named = (of: string) =>
    low
      .slice(0, MOST_NAMED)
      .map(({ sku, currency, priceMinor }) => {
        const least = decimalText(amountRange(currency).min, currency);
        return `${sku} (${decimalText(priceMinor, currency)} ${of} ${least} ${currency})`;
      })
      .join(', ');
  const rest = low.length - MOST_NAMED;
  return warning('minimum_amounts', {
    en: `Cheaper than the provider takes: ${named('of at least')}${rest > 0 ? ` and ${rest} more` : ''}. Raise the prices.`,
    de: `Billiger als der Anbieter annimmt: ${named('von mindestens')}${rest > 0 ? ` und ${rest} weitere` : ''}. Erhöhen Sie die Preise.`,
  });
}

async function inspectionOf(deps: CheckDeps, companyId: string): Promise<Inspection> {
  const { db, provider, publicUrl, nowMs } = deps;
  const switches = await readMethodSwitches(db, companyId);
  const on = METHODS.filter(method => provider.abilities.methods.has(method.id) && isSwitchedOn(method, switches));
  const { protocol, hostname } = new URL(publicUrl);
  return { host: protocol === 'https:' ? hostname : null, methods: on.map(({ id }) => id), nowMs: nowMs() };
}

/** Members are told when it breaks, once; the dashboard lists it until it works. */
async function notifyMembers(tx: Tx, { companyId, provider }: { companyId: string; provider: string }): Promise<void> {
  const environmentId = await findLiveEnvironment(tx, companyId);
  if (environmentId === null) return;
  insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'connection', companyId, provider } });
}

async function keep(deps: CheckDeps, { companyId, account }: CheckProvider, found: Check[]): Promise<KeptCheck[]> {
  const key = { provider: deps.provider.name, accountId: account.accountId };
  return deps.db.transaction(async tx => {
    const before = await findChecks(tx, companyId, key);
    const checks = brokenChecks(before?.checks ?? [], found);
    const isFailing = checks.some(({ broken }) => broken);
    await upsertChecks(tx, { companyId, ...key, checks, isFailing });
    if (isFailing && before?.checkedAt && !before.failingSince) await notifyMembers(tx, { companyId, ...key });
    return checks;
  });
}

async function inspect(deps: CheckDeps, { companyId, account, isOfSettings }: CheckProvider) {
  const { provider, publicUrl } = deps;
  const url = callbackUrl(publicUrl, provider.name, isOfSettings ? null : companyId);
  const registered = account.callbackSecret === null ? null : await provider.callbacks.findRegistered(account, url);
  const found = [
    ...registrationChecks(account, registered),
    await reachCheck(deps, url),
    ...(await provider.inspect(account, await inspectionOf(deps, companyId))),
    await priceCheck(deps, companyId),
  ];
  return { found, callback: stateOf(account, registered) };
}

/** Asks the provider and keeps what it said, so that the page shows it until the next time. */
export async function checkProvider(deps: CheckDeps, input: CheckProvider): Promise<CheckedProvider> {
  const { companyId, account, isOfSettings } = input;
  const asked = await deps.provider.askAccount(account);
  const before = isOfSettings ? null : await findCurrentAccount(deps.db, companyId, deps.provider.name);
  if (!isOfSettings && !before) throw new AppError('provider_not_connected');
  if (before) {
    const seen = 'problem' in asked ? { ...before, problemCode: asked.problem } : asked.seen;
    await updateAccountChecked(deps.db, companyId, before.accountId, seen);
  }
  const first = [accountCheck(asked), modeCheck(deps, account, asked)];
  const { found, callback } =
    'problem' in asked ? { found: [], callback: 'unknown' as const } : await inspect(deps, input);
  const checks = await keep(deps, input, [...first, ...found]);
  return {
    ok: first.every(({ state }) => state !== 'failed'),
    account: before && (await findCurrentAccount(deps.db, companyId, deps.provider.name)),
    callback,
    checks,
  };
}
