import { insertJob } from '../../../jobs/jobs.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { Shop } from '../../shop.ts';
import type { ProviderDirectory } from '../merchant-accounts/provider-directory.ts';
import type { ChargeRef } from '../providers/base/gateway.ts';
import type {
  CallbackHint,
  CallbackRequest,
  Callbacks,
  CallbackVerdict,
  OpenedAccount,
  Provider,
} from '../providers/base/provider.ts';
import {
  findChargeByCapture,
  findChargeByIntent,
  findProviderCharge,
  updateChargeDisputed,
  updateChargeIntent,
  updateChargeWarned,
} from '../providers/base/provider-charge.sql.ts';
import { insertProviderEvent } from './provider-event.sql.ts';

export const PROVIDER_EVENT_JOB = 'provider.event';

export interface Callback extends CallbackRequest {
  provider: Provider;
  directory: ProviderDirectory;
  /** Whose it is, as its address says. Null: of the account that came with the program's settings. */
  address: { companyId: string; accountId: string } | null;
}

const REFUSALS: Record<Exclude<CallbackVerdict, 'right'>, string> = {
  missing: 'The signature is missing or cannot be read.',
  wrong: 'The signature does not belong to this body and secret.',
  too_old: 'The signature is more than five minutes off the clock of this server.',
};

type Verify = NonNullable<Callbacks['verify']>;

async function assertSigned(
  { clock }: Shop,
  verify: Verify,
  account: OpenedAccount,
  callback: Callback,
): Promise<void> {
  const verdict = await verify(callback, account, Math.floor(clock.nowMs() / 1000));
  if (verdict !== 'right') throw new AppError('callback_refused', { detail: REFUSALS[verdict] });
}

/** Only what this account took from this very environment. Null: not ours, and no concern of ours. */
async function paymentOf({ db }: Shop, accountId: string, hint: CallbackHint): Promise<ChargeRef | null> {
  const { intentId, captureId = null, environmentId, paymentId } = hint;
  const known =
    (intentId && (await findChargeByIntent(db, accountId, intentId))) ||
    (captureId && (await findChargeByCapture(db, accountId, captureId)));
  if (known) return known;
  if (environmentId === null || paymentId === null) return null;
  const asked = await findProviderCharge(db, { environmentId, paymentId });
  if (asked?.accountId !== accountId) return null;
  if (intentId === null) return asked;
  if (asked.intentId !== null) return null;
  // It came before the answer to our own call did.
  await updateChargeIntent(db, asked, intentId);
  return asked;
}

/** Verified by the account's secret; where the provider signs nothing, by the charge that the account took. */
async function readHint(shop: Shop, callback: Callback, account: OpenedAccount): Promise<CallbackHint> {
  const { read, verify } = callback.provider.callbacks;
  if (verify) await assertSigned(shop, verify, account, callback);
  const hint = read(callback.body);
  if (!hint) throw new AppError('callback_refused', { detail: 'The body is not an event.' });
  return hint;
}

/**
 * Callbacks without an id are named by their time. In each span of this length the first is handled at once, and all others
 * together at its end.
 */
const UNNAMED_SECONDS = 10;

/** The names under which a callback may be kept, and when it is then handled. The first free one counts. */
function namesOf({ clock }: Shop, { eventId, intentId }: CallbackHint): { eventId: string; inSeconds: number }[] {
  if (eventId !== null) return [{ eventId, inSeconds: 0 }];
  const span = `${intentId}@${Math.floor(clock.nowMs() / 1000 / UNNAMED_SECONDS)}`;
  return [
    { eventId: span, inSeconds: 0 },
    { eventId: `${span}+`, inSeconds: UNNAMED_SECONDS },
  ];
}

/** Checked on the raw bytes, kept once by the provider's name of it, and worked on after the answer. */
export async function acceptCallback(shop: Shop, callback: Callback): Promise<void> {
  const { address, provider, directory } = callback;
  const companyId = address?.companyId ?? null;
  const account = await directory.accountForCallback(address);
  // The same answer as to a wrong signature: a caller must not learn whether an account exists.
  if (!account) throw new AppError('callback_refused', { detail: REFUSALS.wrong });
  const { accountId } = account;
  const hint = await readHint(shop, callback, account);
  const payment = await paymentOf(shop, accountId, hint);
  // A stranger can send what is not signed, and must not fill a table.
  if (!payment && !provider.callbacks.verify) return;
  if (payment && hint.isDispute) await updateChargeDisputed(shop.db, payment);
  if (payment && hint.isWarning) await updateChargeWarned(shop.db, payment);
  const { type, intentId } = hint;
  const { environmentId = null, paymentId = null } = payment ?? {};
  const outcome = payment ? 'queued' : 'ignored';
  await shop.db.transaction(async tx => {
    for (const { eventId, inSeconds } of namesOf(shop, hint)) {
      const event = { accountId, eventId, companyId, type, intentId, environmentId, paymentId, outcome } as const;
      if (!(await insertProviderEvent(tx, event))) continue;
      if (payment) insertJob(tx, { name: PROVIDER_EVENT_JOB, environmentId, payload: { paymentId }, inSeconds });
      break;
    }
    if (payment) tx.afterCommit(() => shop.signals.announce('jobs'));
  });
}
