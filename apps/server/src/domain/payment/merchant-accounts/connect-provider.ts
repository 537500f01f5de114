import { type Advice, advice } from '@coinslot/texts/advice';
import { reasons } from '@coinslot/texts/reasons';
import type { Queryable, Tx } from '../../../db/db.ts';
import { AppError, invalidField } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import type { Shop } from '../../shop.ts';
import { registerCallback } from '../callbacks/register-callback.ts';
import { deleteChecks, upsertUnavailable } from '../provider-health/provider-check.sql.ts';
import { accountError } from '../providers/base/problems.ts';
import type { KeyMode, KeyRules, Provider, ProviderKeys } from '../providers/base/provider.ts';
import { callbackContext, openAccount, secretKeyContext } from './account-secrets.ts';
import { findConnected } from './find-connected.ts';
import {
  findAccount,
  listCurrentAccounts,
  type NewAccount,
  type ProviderAccount,
  updateAccountLeft,
  updateAccountScope,
  upsertAccount,
} from './provider-account.sql.ts';
import { moveRules } from './routing-rules.ts';

export interface ConnectProvider {
  provider: Provider;
  companyId: string;
  /** Whose keys change; keys of another account take its place. Undefined: the account that the keys belong to. */
  accountId?: string | undefined;
  /** Undefined: what is kept stays. */
  secretKey?: string | undefined;
  publishableKey: string;
  callbackSecret?: string | null | undefined;
}

const HINT_CHARS = 4;

function keptKeys({ seal }: Shop, row: ProviderAccount | null): { secretKey: string; callback: string | null } {
  const opened = row && openAccount(seal, row);
  return { secretKey: opened?.secretKey ?? '', callback: opened?.callbackSecret ?? null };
}

/** Callbacks of another account are signed with another secret: they are registered there from scratch, if it lets us. */
async function moveCallbacks(shop: Shop, actor: Actor, provider: Provider, account: ProviderAccount): Promise<void> {
  await registerCallback(shop, actor, { provider, account }).catch((error: unknown) => {
    // The connection's test says what is missing, and the button beside it tries again.
    if (!(error instanceof AppError)) throw error;
  });
}

function checkForm(rules: KeyRules, keys: ProviderKeys, allowTest: boolean): KeyMode {
  const issues = rules.issues(keys);
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
  const mode = rules.modeOf(keys);
  checkMode(mode, allowTest);
  return mode;
}

function checkMode(mode: KeyMode, allowTest: boolean): void {
  const problem = modeProblem(mode, allowTest);
  if (problem !== null) throw new AppError('provider_key_wrong_mode', { detail: problem.en });
}

const auditFacts = ({ accountId, isTest, secretKeyLast4, publishableKey, callbackSecretSealed }: ProviderAccount) => ({
  account_id: accountId,
  is_test: isTest,
  secret_key: `…${secretKeyLast4}`,
  publishable_key: publishableKey,
  has_callback_secret: callbackSecretSealed !== null,
});

/** Beyond it a company's pages would become slow, and its members could not tell the accounts apart. */
const MOST_ACCOUNTS = 20;

/** The account that a member changes. Null: the keys connect one that was not there. */
async function findChanged(db: Queryable, input: ConnectProvider): Promise<ProviderAccount | null> {
  const { provider, companyId, accountId, secretKey } = input;
  const which = { provider: provider.name, companyId, accountId };
  // New keys say themselves whose they are; without them the saved ones are meant.
  if (accountId === undefined && secretKey !== undefined) return null;
  const changed = await findConnected(db, which);
  if (accountId !== undefined && !changed) throw new AppError('provider_not_connected');
  return changed;
}

/** The keys are tried before they are kept: what is saved here can take money. */
async function tryKeys({ allowTestKeys }: Shop, provider: Provider, keys: ProviderKeys) {
  const mode = checkForm(provider.keys, keys, allowTestKeys);
  const asked = await provider.askAccount(keys);
  if ('problem' in asked) throw accountError(asked);
  const { accountId, seen, isTest = mode === 'test' } = asked;
  checkMode(isTest ? 'test' : 'live', allowTestKeys);
  return { accountId, seen, isTest };
}

/** The new account inherits the name and the scope of the one that it replaces, and the rules that name it. */
async function takePlaceOf(tx: Tx, replaced: ProviderAccount, { companyId, accountId }: NewAccount): Promise<void> {
  await updateAccountLeft(tx, companyId, replaced.accountId);
  // Checks of the former account say nothing about the new one.
  await deleteChecks(tx, replaced);
  await updateAccountScope(tx, companyId, accountId, replaced);
  await moveRules(tx, companyId, replaced.accountId, accountId);
}

async function assertCapacity(tx: Tx, { companyId, provider, accountId }: NewAccount): Promise<void> {
  const others = (await listCurrentAccounts(tx, companyId, provider)).filter(one => one.accountId !== accountId);
  if (others.length >= MOST_ACCOUNTS)
    throw invalidField('/secret_key', 'too_many', reasons.text('en', 'choice.too_many_accounts'));
}

export async function connectProvider(shop: Shop, actor: Actor, input: ConnectProvider): Promise<ProviderAccount> {
  const { provider, companyId } = input;
  const { seal } = shop;
  const changed = await findChanged(shop.db, input);
  const kept = keptKeys(shop, changed);
  const keys: ProviderKeys = {
    secretKey: input.secretKey ?? kept.secretKey,
    publishableKey: input.publishableKey,
    callbackSecret: input.callbackSecret === undefined ? kept.callback : input.callbackSecret,
  };
  const { accountId, seen, isTest } = await tryKeys(shop, provider, keys);
  const replaced = changed?.accountId === accountId ? null : changed;
  const same = await findAccount(shop.db, companyId, accountId);
  // A secret belongs to one account: it stays where that gets new keys, and never goes with another.
  const callbackSecret = input.callbackSecret === undefined ? keptKeys(shop, same).callback : input.callbackSecret;
  const fresh: NewAccount = {
    companyId,
    accountId,
    provider: provider.name,
    isTest,
    secretKeySealed: seal.seal(keys.secretKey, secretKeyContext(companyId, accountId)),
    secretKeyLast4: keys.secretKey.slice(-HINT_CHARS),
    publishableKey: keys.publishableKey,
    callbackSecretSealed:
      callbackSecret === null ? null : seal.seal(callbackSecret, callbackContext(companyId, accountId)),
    country: seen.country,
    defaultCurrency: seen.defaultCurrency,
    displayName: seen.displayName,
    chargesEnabled: seen.chargesEnabled,
  };
  const connected = await shop.db.transaction(async tx => {
    await lockCompany(tx, companyId);
    await assertCapacity(tx, fresh);
    const before = replaced ?? (same?.isCurrent ? same : null);
    const after = await upsertAccount(tx, fresh);
    if (replaced) await takePlaceOf(tx, replaced, fresh);
    await upsertUnavailable(tx, { ...fresh, unavailableMethods: [...(seen.unavailableMethods ?? [])] });
    writeAudit(tx, actor, {
      companyId,
      kind: before ? 'provider.changed' : 'provider.connected',
      objectId: accountId,
      before: before && auditFacts(before),
      after: auditFacts(after),
    });
    return after;
  });
  if (replaced && (input.callbackSecret ?? null) === null) await moveCallbacks(shop, actor, provider, connected);
  return connected;
}

/** Why keys of this mode are not taken here; null: they are. */
export function modeProblem(mode: KeyMode, allowTest: boolean): Advice | null {
  if (mode === 'mixed') return advice.each('keys_mixed');
  return mode === 'test' && !allowTest ? advice.each('keys_of_test_mode') : null;
}
