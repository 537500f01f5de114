import type Stripe from 'stripe';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { TIMEOUTS_MS } from '../gateways/stripe/stripe-client.ts';
import { ACCOUNT_PROBLEMS } from '../gateways/stripe/stripe-problem.ts';
import { callbackContext, openAccount } from './account-secrets.ts';
import { asAccountProblem } from './ask-account.ts';
import { CALLBACK_EVENTS, callbackUrl } from './callback-endpoint.ts';
import type { ProviderDeps } from './connect-provider.ts';
import { findCurrentAccount, lockCompany, updateCallbackSecret } from './provider-account.sql.ts';

/** Stripe tells the signing secret once, when the endpoint is made. An older one for the same address is taken down. */
async function registerAt(client: Stripe, url: string): Promise<string> {
  const { data } = await client.webhookEndpoints.list({ limit: 100 }, { timeout: TIMEOUTS_MS.ask });
  const made = await client.webhookEndpoints.create(
    { url, enabled_events: [...CALLBACK_EVENTS], description: 'Coinslot' },
    { timeout: TIMEOUTS_MS.ask },
  );
  for (const old of data.filter(endpoint => endpoint.url === url)) {
    await client.webhookEndpoints.del(old.id, {}, { timeout: TIMEOUTS_MS.ask });
  }
  return made.secret ?? '';
}

export async function registerCallback(deps: ProviderDeps, actor: Actor, companyId: string): Promise<void> {
  const { db, seal, clients, publicUrl, allowTestKeys } = deps;
  const current = await findCurrentAccount(db, companyId);
  const opened = current && openAccount(seal, current);
  if (!current || !opened) throw new AppError('provider_not_connected');
  if (!publicUrl.startsWith('https://') && !allowTestKeys) throw new AppError('callback_not_public');
  const url = callbackUrl(publicUrl, companyId);
  const client = await clients(opened.secretKey);
  const secret = await registerAt(client, url).catch((error: unknown) => {
    const problem = asAccountProblem(error);
    const code = problem === 'provider_account_not_active' ? 'provider_permission_missing' : problem;
    throw new AppError(code, { detail: ACCOUNT_PROBLEMS[problem] });
  });
  const { accountId } = current;
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    await updateCallbackSecret(tx, companyId, accountId, seal.seal(secret, callbackContext(companyId, accountId)));
    writeAudit(tx, actor, {
      companyId,
      kind: 'provider.callback_registered',
      objectId: accountId,
      after: { url },
    });
  });
}
