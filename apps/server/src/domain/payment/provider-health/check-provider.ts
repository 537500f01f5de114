import { type Advice, advice } from '@coinslot/texts/advice';
import type { Tx } from '../../../db/db.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { decimalText } from '../../../kit/money.ts';
import type { Shop } from '../../shop.ts';
import { callbackUrl } from '../merchant-accounts/account-secrets.ts';
import { modeProblem } from '../merchant-accounts/connect-provider.ts';
import { findAccount, type ProviderAccount, updateAccountChecked } from '../merchant-accounts/provider-account.sql.ts';
import { readMethodSwitches } from '../merchant-accounts/read-choices.ts';
import { METHODS } from '../methods/method-table.ts';
import { isSwitchedOn } from '../methods/methods.ts';
import { failed, fine, warning } from '../providers/base/checks.ts';
import type { AskedAccount, Check, Inspection, OpenedAccount, Provider } from '../providers/base/provider.ts';
import { brokenChecks, type KeptCheck } from './broken-checks.ts';
import { type CallbackState, callbackState, reachCheck, registrationChecks } from './callback-checks.ts';
import { findChecks, findLiveEnvironment, listLivePrices, upsertChecks } from './provider-check.sql.ts';

export interface CheckProvider {
  provider: Provider;
  companyId: string;
  account: OpenedAccount;
  isOfSettings: boolean;
}

export interface CheckedProvider {
  ok: boolean;
  /** Null for keys of the settings. */
  account: ProviderAccount | null;
  callback: CallbackState;
  checks: KeptCheck[];
}

const joined = (all: readonly Advice[], between: string): Advice => {
  const [first] = all;
  return Object.fromEntries(
    Object.keys(first!).map(key => [key, all.map(one => one[key as keyof Advice]).join(between)]),
  ) as unknown as Advice;
};

function accountCheck(asked: AskedAccount): Check {
  const { problem, said } = 'problem' in asked ? asked : { problem: asked.seen.problemCode, said: asked.seen.said };
  if (problem === null) return fine('account');
  const words = said ? [advice.each('provider_said', { said })] : [];
  return failed('account', joined([advice.each(problem), ...words, advice.each(`${problem}.fix`)], ' '));
}

function modeCheck({ allowTestKeys }: Shop, account: OpenedAccount, asked: AskedAccount): Check {
  const isTest = ('isTest' in asked ? asked.isTest : undefined) ?? account.isTest;
  const problem = modeProblem(isTest ? 'test' : 'live', allowTestKeys);
  if (problem !== null) return failed('mode', problem);
  if (isTest === account.isTest) return fine('mode', isTest ? 'test' : 'live');
  return failed('mode', advice.each('keys_changed_mode'));
}

const MOST_NAMED = 5;

/** Items on sale that the provider would refuse, whatever the player does. */
async function priceCheck({ db }: Shop, provider: Provider, companyId: string): Promise<Check> {
  const { amountRange, currencies } = provider.abilities;
  const low = (await listLivePrices(db, companyId)).filter(
    ({ currency, priceMinor }) => (currencies?.has(currency) ?? true) && priceMinor < amountRange(currency).min,
  );
  if (low.length === 0) return fine('minimum_amounts');
  const named = low.slice(0, MOST_NAMED).map(({ sku, currency, priceMinor }) => {
    const least = decimalText(amountRange(currency).min, currency);
    return advice.each('price_too_low', { sku, currency, least, price: decimalText(priceMinor, currency) });
  });
  const items = joined(named, ', ');
  const rest = low.length - MOST_NAMED;
  const fix =
    rest > 0 ? advice.each('prices_too_low_and_more', { items, rest }) : advice.each('prices_too_low', { items });
  return warning('minimum_amounts', fix);
}

async function inspectionOf(
  { db, publicUrl, clock }: Shop,
  provider: Provider,
  companyId: string,
): Promise<Inspection> {
  const switches = await readMethodSwitches(db, companyId);
  const on = METHODS.filter(method => provider.abilities.methods.has(method.id) && isSwitchedOn(method, switches));
  const { protocol, hostname } = new URL(publicUrl);
  return { host: protocol === 'https:' ? hostname : null, methods: on.map(({ id }) => id), nowMs: clock.nowMs() };
}

/** Notifies members once when it breaks; the dashboard lists it until it works. */
async function notifyMembers(
  tx: Tx,
  { companyId, provider, accountId }: Record<'companyId' | 'provider' | 'accountId', string>,
): Promise<void> {
  const environmentId = await findLiveEnvironment(tx, companyId);
  if (environmentId === null) return;
  insertJob(tx, {
    name: 'notice.send',
    environmentId,
    payload: { kind: 'connection', companyId, provider, accountId },
  });
}

async function keep(
  { db }: Shop,
  { provider, companyId, account }: CheckProvider,
  found: Check[],
  asked: AskedAccount,
): Promise<KeptCheck[]> {
  const key = { provider: provider.name, accountId: account.accountId };
  return db.transaction(async tx => {
    const before = await findChecks(tx, companyId, key);
    const checks = brokenChecks(before?.checks ?? [], found);
    const isFailing = checks.some(({ broken }) => broken);
    // An account that gave no answer can take what it could take before.
    const unavailableMethods =
      'problem' in asked ? (before?.unavailableMethods ?? []) : [...(asked.seen.unavailableMethods ?? [])];
    await upsertChecks(tx, { companyId, ...key, checks, unavailableMethods, isFailing });
    if (isFailing && before?.checkedAt && !before.failingSince) await notifyMembers(tx, { companyId, ...key });
    return checks;
  });
}

async function inspect(shop: Shop, { provider, companyId, account, isOfSettings }: CheckProvider) {
  const url = callbackUrl(
    shop.publicUrl,
    provider.name,
    isOfSettings ? null : { companyId, accountId: account.accountId },
  );
  const { callbacks } = provider;
  const isSecretMissing = account.callbackSecret === null;
  const registered = isSecretMissing ? null : ((await callbacks.registration?.findRegistered(account, url)) ?? null);
  const callback = { account, callbacks, registered };
  const found = [
    ...registrationChecks(callback),
    await reachCheck(shop, url),
    ...(await provider.inspect(account, await inspectionOf(shop, provider, companyId))),
    await priceCheck(shop, provider, companyId),
  ];
  return { found, callback: callbackState(callback) };
}

/** Asks the provider and keeps what it said, so that the page shows it until the next time. */
export async function checkProvider(shop: Shop, input: CheckProvider): Promise<CheckedProvider> {
  const { provider, companyId, account, isOfSettings } = input;
  const asked = await provider.askAccount(account);
  const before = isOfSettings ? null : await findAccount(shop.db, companyId, account.accountId);
  if (!isOfSettings && !before?.isCurrent) throw new AppError('provider_not_connected');
  if (before) {
    const seen = 'problem' in asked ? { ...before, problemCode: asked.problem } : asked.seen;
    await updateAccountChecked(shop.db, companyId, before.accountId, seen);
  }
  const first = [accountCheck(asked), modeCheck(shop, account, asked)];
  const { found, callback } =
    'problem' in asked ? { found: [], callback: 'unknown' as const } : await inspect(shop, input);
  const checks = await keep(shop, input, [...first, ...found], asked);
  return {
    ok: first.every(({ state }) => state !== 'failed'),
    account: before && (await findAccount(shop.db, companyId, account.accountId)),
    callback,
    checks,
  };
}
