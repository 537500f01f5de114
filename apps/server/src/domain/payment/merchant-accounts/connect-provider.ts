import { type Advice, advice } from '@coinslot/texts/advice';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { deleteChecks } from '../provider-health/provider-check.sql.ts';
import { accountProblemText } from '../providers/base/problems.ts';
import type { KeyMode, KeyRules, Provider, ProviderKeys } from '../providers/base/provider.ts';
import { callbackContext, openAccount, secretKeyContext } from './account-secrets.ts';
import {
  findCurrentAccount,
  findOpenWork,
  lockCompany,
  type NewAccount,
  type ProviderAccount,
  updateAccountErased,
  updateNoneCurrent,
  upsertAccount,
} from './provider-account.sql.ts';

export interface ConnectProvider {
  provider: Provider;
  companyId: string;
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

/** The keys are tried before they are kept: what is saved here can take money. */
export async function connectProvider(shop: Shop, actor: Actor, input: ConnectProvider): Promise<ProviderAccount> {
  const { provider, companyId } = input;
  const kept = keptKeys(shop, await findCurrentAccount(shop.db, companyId, provider.name));
  const keys: ProviderKeys = {
    secretKey: input.secretKey ?? kept.secretKey,
    publishableKey: input.publishableKey,
    callbackSecret: input.callbackSecret === undefined ? kept.callback : input.callbackSecret,
  };
  const mode = checkForm(provider.keys, keys, shop.allowTestKeys);
  const asked = await provider.askAccount(keys);
  if ('problem' in asked) {
    const { problem } = asked;
    if (problem === 'provider_account_not_active') throw new AppError('provider_permission_missing');
    throw new AppError(problem, { detail: accountProblemText(problem) });
  }
  const { accountId, seen, isTest = mode === 'test' } = asked;
  checkMode(isTest ? 'test' : 'live', shop.allowTestKeys);
  const { seal } = shop;
  const fresh: NewAccount = {
    companyId,
    accountId,
    provider: provider.name,
    isTest,
    secretKeySealed: seal.seal(keys.secretKey, secretKeyContext(companyId, accountId)),
    secretKeyLast4: keys.secretKey.slice(-HINT_CHARS),
    publishableKey: keys.publishableKey,
    callbackSecretSealed:
      keys.callbackSecret === null ? null : seal.seal(keys.callbackSecret, callbackContext(companyId, accountId)),
    country: seen.country,
    defaultCurrency: seen.defaultCurrency,
    displayName: seen.displayName,
    chargesEnabled: seen.chargesEnabled,
  };
  return shop.db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const before = await findCurrentAccount(tx, companyId, fresh.provider);
    await updateNoneCurrent(tx, companyId, fresh.provider);
    const after = await upsertAccount(tx, fresh);
    writeAudit(tx, actor, {
      companyId,
      kind: before ? 'provider.changed' : 'provider.connected',
      objectId: accountId,
      before: before && auditFacts(before),
      after: auditFacts(after),
    });
    return after;
  });
}

/** Why keys of this mode are not taken here; null: they are. */
export function modeProblem(mode: KeyMode, allowTest: boolean): Advice | null {
  if (mode === 'mixed') return advice.each('keys_mixed');
  return mode === 'test' && !allowTest ? advice.each('keys_of_test_mode') : null;
}

/** Erases the keys. Payments that are under way need them, so that must be said twice. */
export async function disconnectProvider(
  { db }: Shop,
  actor: Actor,
  { provider, companyId, confirmed }: { provider: Provider; companyId: string; confirmed: boolean },
): Promise<void> {
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const current = await findCurrentAccount(tx, companyId, provider.name);
    if (!current) throw new AppError('provider_not_connected');
    const { accountId } = current;
    const open = await findOpenWork(tx, companyId, accountId);
    if (open > 0 && !confirmed) {
      throw new AppError('provider_in_use', { detail: `${open} payments of ${accountId} are not at their end.` });
    }
    await updateAccountErased(tx, companyId, accountId);
    await deleteChecks(tx, companyId, provider.name);
    writeAudit(tx, actor, {
      companyId,
      kind: 'provider.disconnected',
      objectId: accountId,
      before: { account_id: accountId, secret_key: `…${current.secretKeyLast4}` },
      after: { open_payments: open },
    });
  });
}
