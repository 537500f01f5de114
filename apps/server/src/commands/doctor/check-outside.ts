import { openAccount } from '../../domain/payment/merchant-accounts/account-secrets.ts';
import { listAllAccounts } from '../../domain/payment/merchant-accounts/provider-account.sql.ts';
import { accountProblemText } from '../../domain/payment/providers/base/problems.ts';
import type { OpenedAccount, Provider } from '../../domain/payment/providers/base/provider.ts';
import type { Parts } from '../../program/parts.ts';
import type { Config } from '../../settings/config.ts';
import { attempt, type Finding, note, ok, wrong } from './finding.ts';

const ANSWER_MS = 5_000;

export async function checkMail({ mailer }: Parts, { env }: Config): Promise<Finding> {
  if (!mailer) {
    const says = 'SMTP_URL is not set, so receipts and notices are kept and not sent';
    return env === 'production'
      ? wrong('mail', says, 'Set SMTP_URL and MAIL_FROM.')
      : note('mail', says, 'npm run mails shows them.');
  }
  await mailer.check();
  return ok('mail', 'the mail server accepts the login');
}

/** Requests the public URL as a player's browser would. */
export async function checkPublicUrl({ publicUrl }: Config, version: string): Promise<Finding> {
  const answer = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  const body = (await answer.json().catch(() => null)) as { version?: string } | null;
  if (answer.status !== 200 || typeof body?.version !== 'string')
    return wrong(
      'public URL',
      `${publicUrl}/healthz answers ${answer.status}, not as Coinslot does`,
      'Point the proxy at this program.',
    );
  if (body.version !== version)
    return note('public URL', `version ${body.version} answers at ${publicUrl}, and this is ${version}`, 'Restart it.');
  return ok('public URL', `this program answers at ${publicUrl}`);
}

async function checkAccount(provider: Provider, account: OpenedAccount): Promise<Finding> {
  const what = `provider ${provider.name}`;
  const asked = await provider.askAccount(account);
  if ('problem' in asked)
    return wrong(
      what,
      accountProblemText(asked.problem),
      'Open Payment provider in the dashboard: it says what to do.',
    );
  if (!asked.seen.chargesEnabled)
    return wrong(what, 'the account may not take payments yet', 'Finish its activation at the provider.');
  return ok(what, `${asked.seen.displayName ?? asked.accountId} takes payments`);
}

export async function checkProviders({ live, db, seal }: Parts): Promise<Finding[]> {
  const kept = (await listAllAccounts(db)).filter(({ isCurrent }) => isCurrent);
  const checks = live.list.flatMap(({ provider, fromSettings }) => {
    const opened = kept.filter(row => row.provider === provider.name).map(row => openAccount(seal, row));
    return [fromSettings, ...opened]
      .filter(account => account !== null)
      .map(account =>
        attempt(`provider ${provider.name}`, () => checkAccount(provider, account), 'Can this host reach it?'),
      );
  });
  if (checks.length === 0)
    return [note('provider', 'none is connected, so live games take no money', 'Connect one in the dashboard.')];
  return (await Promise.all(checks)).flat();
}
