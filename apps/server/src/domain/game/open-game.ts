import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Money } from '../../kit/money.ts';
import type { Seal } from '../../kit/seal.ts';
import { insertEnvironment } from './environment.sql.ts';
import type { Mode } from './environment.ts';
import { insertGame } from './game.sql.ts';
import { keyFingerprint, newS2sKey } from './keys/authenticate-key.ts';
import { insertKey } from './keys/s2s-key.sql.ts';
import type { StoreLink } from './stores/store-link.ts';

export interface IssuedKey {
  environmentId: string;
  s2sKey: string;
}

interface OpenedGame {
  gameId: string;
  sandbox: IssuedKey;
  live: IssuedKey;
}

/** Sandbox has a default price, so that a first order needs nothing but a player and a sku. */
const SANDBOX_PRICE: Money = { amountMinor: 100, currency: 'USD' };

async function openEnvironment(tx: Tx, seal: Seal, gameId: string, mode: Mode): Promise<IssuedKey> {
  const environmentId = newId('env');
  const keyId = newId('key');
  const s2sKey = newS2sKey(mode);
  const defaultPrice = mode === 'sandbox' ? SANDBOX_PRICE : null;
  await insertEnvironment(tx, { id: environmentId, gameId, mode, defaultPrice });
  const keyHash = Buffer.from(keyFingerprint(s2sKey), 'hex');
  const sealed = seal.seal(s2sKey, keyId);
  await insertKey(tx, { environmentId, id: keyId, keyHash, sealed, label: '', createdBy: null });
  return { environmentId, s2sKey };
}

/** A game with its two environments, each with a key. */
export async function openGame(
  tx: Tx,
  seal: Seal,
  { companyId, name, storeLink }: { companyId: string; name: string; storeLink: StoreLink },
): Promise<OpenedGame> {
  const gameId = newId('game');
  await insertGame(tx, { id: gameId, companyId, name, storeLink });
  const live = await openEnvironment(tx, seal, gameId, 'live');
  const sandbox = await openEnvironment(tx, seal, gameId, 'sandbox');
  return { gameId, sandbox, live };
}
