import { assertCapacity } from '../../../http/limits/budgets.ts';
import { AppError, assertNoIssues } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import type { Seal } from '../../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import type { Shop } from '../../shop.ts';
import { nameIssue } from '../../user/field-issues.ts';
import { inCompanyTurn } from '../company-turn.ts';
import type { Environment } from '../environment.ts';
import { countGamesAndKeys } from '../game.sql.ts';
import { keyFingerprint, newS2sKey } from './authenticate-key.ts';
import {
  findSignsWithKey,
  insertKey,
  type KeyFacts,
  listKeys,
  lockEnvironmentKeys,
  updateKeyRevoked,
} from './s2s-key.sql.ts';

const MOST_KEYS = 10;
const LAST_CHARS = 4;

export interface KeyView extends Omit<KeyFacts, 'sealed'> {
  hint: string;
  signsWebhooks: boolean;
}

const isLive = ({ revokedAt }: Pick<KeyFacts, 'revokedAt'>): boolean => revokedAt === null;

/** Enough to tell keys apart, and too little to use one. */
const hintOf = (key: string): string => `${/^sk_[a-z]+_/.exec(key)?.[0] ?? ''}…${key.slice(-LAST_CHARS)}`;

function viewOf(seal: Seal, { sealed, ...key }: KeyFacts, signs: boolean): KeyView {
  return { ...key, hint: hintOf(seal.open(sealed, key.id)), signsWebhooks: signs };
}

export async function listEnvironmentKeys({ db, seal }: Shop, environmentId: string): Promise<KeyView[]> {
  const [keys, signs] = await Promise.all([listKeys(db, environmentId), findSignsWithKey(db, environmentId)]);
  const signer = keys.find(isLive);
  return keys.map(key => viewOf(seal, key, signs && key === signer));
}

interface CreatedKey {
  view: KeyView;
  s2sKey: string;
}

export function createKey(
  { db, seal, budgets }: Shop,
  actor: Actor,
  environment: Environment,
  label: string,
): Promise<CreatedKey> {
  // Every owner is mailed what was created.
  assertNoIssues(label === '' ? null : nameIssue(label, '/label'));
  return inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
      await lockCompany(tx, environment.companyId);
      const used = await countGamesAndKeys(tx, environment.companyId);
      assertCapacity('keys', used.keys, budgets.limits.keys);
      const { keys } = await lockEnvironmentKeys(tx, environment.id);
      if (keys.filter(isLive).length >= MOST_KEYS) throw new AppError('too_many_keys');
      const id = newId('key');
      const s2sKey = newS2sKey(environment.mode);
      const keyHash = Buffer.from(keyFingerprint(s2sKey), 'hex');
      const sealed = seal.seal(s2sKey, id);
      await insertKey(tx, { environmentId: environment.id, id, keyHash, sealed, label, createdBy: actor.userId });
      const made = (await listKeys(tx, environment.id)).find(key => key.id === id);
      const view = viewOf(seal, made!, false);
      const after = { label, hint: view.hint };
      writeAudit(tx, actor, { ...auditScope(environment), kind: 'key.created', objectId: id, after });
      return { view, s2sKey };
    }),
  );
}

export async function revealKey(
  { db, seal }: Shop,
  actor: Actor,
  environment: Environment,
  keyId: string,
): Promise<string> {
  const key = (await listKeys(db, environment.id)).find(({ id }) => id === keyId);
  if (!key) throw new AppError('key_not_found');
  const s2sKey = seal.open(key.sealed, key.id);
  await db.transaction(async tx => {
    const after = { label: key.label, hint: hintOf(s2sKey) };
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'key.revealed', objectId: keyId, after });
  });
  return s2sKey;
}

/** Callers find out within the seconds that the authenticator remembers a key. */
export function revokeKey(
  { db, seal }: Shop,
  actor: Actor,
  environment: Environment,
  { keyId, confirmSigning }: { keyId: string; confirmSigning: boolean },
): Promise<KeyView> {
  return inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
      const { locked, keys } = await lockEnvironmentKeys(tx, environment.id);
      const key = keys.find(({ id }) => id === keyId);
      if (!key) throw new AppError('key_not_found');
      if (!isLive(key)) return viewOf(seal, key, false);
      const live = keys.filter(isLive);
      if (live.length === 1) throw new AppError('last_key');
      const signs = live[0] === key && (await findSignsWithKey(tx, environment.id));
      if (signs && !confirmSigning) {
        const next = hintOf(seal.open(live[1]!.sealed, live[1]!.id));
        throw new AppError('key_signs_webhooks', { detail: `Webhooks would be signed with ${next} from then on.` });
      }
      const revokedAt = await updateKeyRevoked(tx, locked, keyId);
      const view = viewOf(seal, { ...key, revokedAt }, false);
      writeAudit(tx, actor, {
        ...auditScope(environment),
        kind: 'key.revoked',
        objectId: keyId,
        before: { label: key.label, hint: view.hint, signed_webhooks: signs },
      });
      return view;
    }),
  );
}
