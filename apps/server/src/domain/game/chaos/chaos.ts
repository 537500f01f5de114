import type { Queryable } from '../../../db/db.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { inCompanyTurn } from '../company-turn.ts';
import { findChaos, updateChaos } from '../environment.sql.ts';
import { assertSandbox, type Environment } from '../environment.ts';
import { lockEnvironment } from '../lock-environment.sql.ts';

interface DeliveryChaos {
  /** It goes out that much later, so that other orders overtake it. */
  delayMs: number;
  /** The receiver gets it again that much later, perhaps after what came next; null when it does not. */
  copyAfterMs: number | null;
  /** `request`: it never arrives. `answer`: it arrives, but its answer is lost, so that it comes again. */
  lost: 'request' | 'answer' | null;
}

/** What strikes one call to the provider: the request is lost, or the answer of one that was carried out. */
type ProviderChaos = 'request' | 'answer' | null;

const LONGEST_DELAY_MS = 5_000;
const LONGEST_COPY_MS = 15_000;

const oneIn = (n: number, random: () => number): boolean => random() < 1 / n;

export function deliveryChaos(random: () => number): DeliveryChaos {
  return {
    delayMs: oneIn(3, random) ? Math.floor(random() * LONGEST_DELAY_MS) : 0,
    copyAfterMs: oneIn(3, random) ? Math.floor(random() * LONGEST_COPY_MS) : null,
    lost: oneIn(10, random) ? 'request' : oneIn(5, random) ? 'answer' : null,
  };
}

export const providerChaos = (random: () => number): ProviderChaos =>
  oneIn(10, random) ? 'request' : oneIn(10, random) ? 'answer' : null;

export type IsChaotic = (environmentId: string) => Promise<boolean>;

/** A few seconds old at most. */
export function createChaosReader(db: Queryable, clock: Clock = systemClock): IsChaotic {
  const find = createTtlCache({
    load: (environmentId: string) => findChaos(db, environmentId),
    clock,
    freshMs: 2_000,
    absentMs: 2_000,
    maxEntries: 10_000,
  });
  return async environmentId => (await find(environmentId)) ?? false;
}

/** Every process knows it within two seconds. */
export function changeChaos(
  { db }: Shop,
  actor: Actor | null,
  environment: Environment,
  enabled: boolean,
): Promise<boolean> {
  assertSandbox(environment, 'Chaos is for sandbox only.');
  return inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
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
    }),
  );
}
