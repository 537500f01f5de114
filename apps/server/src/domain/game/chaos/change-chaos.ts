import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { assertSandbox, type Environment } from '../environment.ts';
import { lockEnvironment } from '../lock-environment.sql.ts';
import { findChaos, updateChaos } from './chaos.sql.ts';

/** Every process knows it within two seconds. */
export function changeChaos(
  { db }: Shop,
  actor: Actor | null,
  environment: Environment,
  enabled: boolean,
): Promise<boolean> {
  assertSandbox(environment, 'Chaos is for sandbox only.');
  return db.transaction(async tx => {
    const locked = await lockEnvironment(tx, environment.id);
    const before = await findChaos(tx, environment.id);
    if (before === enabled) return enabled;
    updateChaos(tx, locked, enabled);
    if (actor) {
      writeAudit(tx, actor, {
        ...auditScope(environment),
        kind: 'chaos.changed',
        objectId: environment.id,
        before: { enabled: before },
        after: { enabled },
      });
    }
    return enabled;
  });
}
