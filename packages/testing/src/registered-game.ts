import type { Db } from '../../../apps/server/src/db/db.ts';
import { type Registered, register } from '../../../apps/server/src/domain/game/register.ts';
import { newId } from '../../../apps/server/src/kit/ids.ts';
import type { Seal } from '../../../apps/server/src/kit/seal.ts';

/** The least that argon2 takes: a test registers many accounts and guards none of them. */
export const CHEAP_PASSWORDS = { memoryKib: 8, passes: 1 };

/** A company of its own with one game, ready to take orders. */
export function registerTestAccount(db: Db, seal: Seal): Promise<Registered> {
  const name = newId('usr');
  return register(
    { db, seal, passwordCost: CHEAP_PASSWORDS },
    {
      email: `${name}@example.com`,
      password: 'orange lamp on the roof',
      company: 'Northwind Games',
      gameUrl: 'https://apps.apple.com/us/app/castle-quest/id1234567890',
    },
  );
}
