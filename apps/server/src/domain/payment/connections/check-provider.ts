import { AppError } from '../../../kit/app-error.ts';
import { readMethodSwitches } from '../find-method-switches.ts';
import { ACCOUNT_PROBLEMS, type AccountProblem } from '../gateways/problems.ts';
import type { Inspection, OpenedAccount } from '../gateways/provider.ts';
import { METHODS } from '../method-table.ts';
import { isSwitchedOn } from '../methods.ts';
import { callbackUrl, openAccount } from './account-secrets.ts';
import type { ProviderDeps } from './connect-provider.ts';
import { findCurrentAccount, type ProviderAccount, updateAccountChecked } from './provider-account.sql.ts';

export type CallbackState = 'working' | 'secret_missing' | 'not_registered' | 'unknown';

export interface CheckedProvider {
  ok: boolean;
  account: ProviderAccount;
  callback: CallbackState;
  advice: string[];
}

const PROBLEM_ADVICE: Record<AccountProblem, string> = {
  provider_key_invalid: 'Copy the secret key again, whole, from the page of API keys at the provider.',
  provider_key_revoked: 'Make a new secret key at the provider and save it here.',
  provider_key_wrong_mode: 'Switch the provider to live mode and copy both keys from there.',
  provider_permission_missing: 'Give the restricted key the permissions that the guide lists, or use a secret key.',
  provider_account_not_active: 'Finish the activation of the account at the provider: it may not take payments yet.',
};

const CALLBACK_ADVICE: Record<CallbackState, string | null> = {
  working: null,
  secret_missing: 'Save the signing secret of the callback here, or let Coinslot register the callback.',
  not_registered: 'Register the callback at the provider, or let Coinslot do it. Without it news arrives late.',
  unknown: null,
};

async function callbackState(
  { provider, publicUrl }: ProviderDeps,
  { companyId, callbackSecretSealed }: ProviderAccount,
  opened: OpenedAccount,
): Promise<CallbackState> {
  if (!callbackSecretSealed) return 'secret_missing';
  const isThere = await provider.callbacks.isRegistered(opened, callbackUrl(publicUrl, provider.name, companyId));
  if (isThere === null) return 'unknown';
  return isThere ? 'working' : 'not_registered';
}

async function inspectionOf({ db, provider, publicUrl }: ProviderDeps, companyId: string): Promise<Inspection> {
  const switches = await readMethodSwitches(db, companyId);
  const on = METHODS.filter(method => provider.abilities.methods.has(method.id) && isSwitchedOn(method, switches));
  const { protocol, hostname } = new URL(publicUrl);
  return { host: protocol === 'https:' ? hostname : null, methods: on.map(({ id }) => id) };
}

/** Asks the provider and keeps what it said, so that the page shows it until the next time. */
export async function checkProvider(deps: ProviderDeps, companyId: string): Promise<CheckedProvider> {
  const before = await findCurrentAccount(deps.db, companyId, deps.provider.name);
  const opened = before && openAccount(deps.seal, before);
  if (!before || !opened) throw new AppError('provider_not_connected');
  const asked = await deps.provider.askAccount(opened);
  const seen = 'problem' in asked ? { ...before, problemCode: asked.problem } : asked.seen;
  await updateAccountChecked(deps.db, companyId, before.accountId, seen);
  const account = (await findCurrentAccount(deps.db, companyId, deps.provider.name)) ?? before;
  const callback = 'problem' in asked ? 'unknown' : await callbackState(deps, account, opened);
  const problem = account.problemCode as AccountProblem | null;
  const found = 'problem' in asked ? [] : await deps.provider.inspect(opened, await inspectionOf(deps, companyId));
  const advice = [
    problem && `${ACCOUNT_PROBLEMS[problem]} ${PROBLEM_ADVICE[problem]}`,
    CALLBACK_ADVICE[callback],
    ...found,
  ];
  return { ok: problem === null, account, callback, advice: advice.filter(line => line !== null) };
}
