import type { Queryable } from '../../db/db.ts';
import { ssoSecretContext, ssoTokenContext } from '../../domain/company/sso/sso.sql.ts';
import {
  callbackContext,
  chargeSecretContext,
  secretKeyContext,
} from '../../domain/payment/merchant-accounts/account-secrets.ts';
import { savedMethodContext } from '../../domain/payment/saved-methods/forget-method.ts';
import { totpContext } from '../../domain/user/second-factor.ts';
import type { Seal } from '../../kit/seal.ts';
import { listSealedElsewhere, type SealedPlace, type SealedValue, updateSealed } from './sealed-columns.sql.ts';

const BATCH = 200;

const CONTEXTS: Record<SealedPlace, (value: SealedValue) => string> = {
  'users.totp': ({ id }) => totpContext(id),
  'sessions.sso_token': ({ id }) => ssoTokenContext(id),
  'company_sso.client_secret': ({ id }) => ssoSecretContext(id),
  's2s_keys.key': ({ id }) => id,
  'saved_methods.token': ({ owner, id, player }) =>
    savedMethodContext({ environmentId: owner, playerId: player ?? '', id }),
  'provider_accounts.secret_key': ({ owner, id }) => secretKeyContext(owner, id),
  'provider_accounts.callback_secret': ({ owner, id }) => callbackContext(owner, id),
  'provider_charges.client_secret': ({ owner, id }) => chargeSecretContext(owner, id),
  'webhook_subscriptions.secret': ({ id }) => id,
  'webhook_subscriptions.previous_secret': ({ id }) => id,
};

async function resealBatch(db: Queryable, seal: Seal, keyId: Buffer): Promise<number> {
  const values = await listSealedElsewhere(db, keyId, BATCH);
  for (const value of values) {
    const context = CONTEXTS[value.place](value);
    await updateSealed(db, value, seal.seal(seal.open(value.sealed, context), context));
  }
  return values.length;
}

/** Reseals in small batches, so that after a kill the next run continues where this one ended. */
export async function resealAll(
  { db, say }: { db: Queryable; say: (text: string) => void },
  seal: Seal,
  keyId: Buffer,
): Promise<void> {
  let done = 0;
  for (;;) {
    const count = await resealBatch(db, seal, keyId);
    if (count === 0) return;
    done += count;
    say(`${done} secrets are sealed under the new key.`);
  }
}
