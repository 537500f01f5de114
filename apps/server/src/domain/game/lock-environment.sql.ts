import { sql, type Tx } from '../../db/statement.ts';

declare const locked: unique symbol;

/**
 * The keys, rules and subscriptions of an environment do not change while this is held. Only the locks below give it, and
 * what would be wrong without one takes it as an argument.
 */
export interface LockedEnvironment<By extends 'writer' | 'reader' = 'writer' | 'reader'> {
  readonly id: string;
  readonly [locked]: By;
}

/** One change at a time to what an environment has and to what waits for it. New orders need not wait. */
export async function lockEnvironment(tx: Tx, environmentId: string): Promise<LockedEnvironment<'writer'>> {
  await tx.query(sql('environment_lock')`
    select id from environments where id = ${environmentId} for no key update`);
  return { id: environmentId } as LockedEnvironment<'writer'>;
}

/**
 * A worker that decides by the subscriptions whether an event is held has this while it does: a change of a subscription
 * waits for it, then sees the event.
 */
async function lockEnvironmentsShared(
  tx: Tx,
  environmentIds: string[],
): Promise<Map<string, LockedEnvironment<'reader'>>> {
  await tx.query(sql('environment_lock_shared')`
    select id from environments where id = any(${environmentIds}::text[]) order by id for share`);
  return new Map(environmentIds.map(id => [id, { id } as LockedEnvironment<'reader'>]));
}

export async function lockEnvironmentShared(tx: Tx, environmentId: string): Promise<LockedEnvironment<'reader'>> {
  const environments = await lockEnvironmentsShared(tx, [environmentId]);
  return environments.get(environmentId)!;
}
