import { type Advice, advice } from '@coinslot/texts/advice';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { registerCallback } from '../callbacks/accept-callback.ts';
import { deleteChecks, upsertUnavailable } from '../provider-health/provider-check.sql.ts';
import { accountProblemText } from '../providers/base/problems.ts';
import type { KeyMode, KeyRules, Provider, ProviderKeys } from '../providers/base/provider.ts';
import { callbackContext, openAccount, secretKeyContext } from './account-secrets.ts';
import {
  findCurrentAccount,
  lockCompany,
  type NewAccount,
  type ProviderAccount,
  updateAccountLeft,
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

/** Callbacks of another account are signed with another secret: they are registered there from scratch, if it lets us. */
async function moveCallbacks(shop: Shop, actor: Actor, { provider, companyId }: ConnectProvider): Promise<void> {
  await registerCallback(shop, actor, { provider, companyId }).catch((error: unknown) => {
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

/** The keys are tried before they are kept: what is saved here can take money. */
export async function connectProvider(shop: Shop, actor: Actor, input: ConnectProvider): Promise<ProviderAccount> {
  const { provider, companyId } = input;
  const current = await findCurrentAccount(shop.db, companyId, provider.name);
  const kept = keptKeys(shop, current);
  const keys: ProviderKeys = {
    secretKey: input.secretKey ?? kept.secretKey,
    publishableKey: input.publishableKey,
    callbackSecret: input.callbackSecret === undefined ? kept.callback : input.callbackSecret,
  };
  const mode = checkForm(provider.keys, keys, shop.allowTestKeys);
  const asked = await provider.askAccount(keys);
  if ('problem' in asked) {
    const { problem } = asked;
    const code = problem === 'provider_account_not_active' ? 'provider_refused_setup' : problem;
    throw new AppError(code, { detail: accountProblemText(problem) });
  }
  const { accountId, seen, isTest = mode === 'test' } = asked;
  checkMode(isTest ? 'test' : 'live', shop.allowTestKeys);
  const { seal } = shop;
  const isOther = current !== null && current.accountId !== accountId;
  const callbackSecret = isOther ? (input.callbackSecret ?? null) : keys.callbackSecret;
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
    const before = await findCurrentAccount(tx, companyId, fresh.provider);
    await updateAccountLeft(tx, companyId, fresh.provider);
    const after = await upsertAccount(tx, fresh);
    // Those of the account that it takes the place of say nothing about this one.
    if (before && before.accountId !== accountId) await deleteChecks(tx, before);
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
  if (isOther && callbackSecret === null) await moveCallbacks(shop, actor, input);
  return connected;
}

/** Why keys of this mode are not taken here; null: they are. */
export function modeProblem(mode: KeyMode, allowTest: boolean): Advice | null {
  if (mode === 'mixed') return advice.each('keys_mixed');
  return mode === 'test' && !allowTest ? advice.each('keys_of_test_mode') : null;
}
