import { type Queryable, sql } from '../../../db/statement.ts';
import type { Delivery } from '../delivery/delivery.sql.ts';

export interface SealedKey {
  environmentId: string;
  id: string;
  sealed: Buffer;
}

/** The keys of a game that are not revoked, oldest first: of the environment asked for and of its other mode. */
export const listSealedKeys = (db: Queryable, gameId: string): Promise<SealedKey[]> =>
  db.query(sql('known_secrets_list_keys')`
    select k.environment_id as "environmentId", k.id, k.key_sealed as sealed
    from environments e join s2s_keys k on k.environment_id = e.id
    where e.game_id = ${gameId} and k.revoked_at is null order by k.id limit 50`);

export interface SealedSecret {
  environmentId: string;
  id: string;
  secretSealed: Buffer | null;
  previousSecretSealed: Buffer | null;
}

export const listSealedSecrets = (db: Queryable, gameId: string): Promise<SealedSecret[]> =>
  db.query(sql('known_secrets_list_secrets')`
    select s.environment_id as "environmentId", s.id, s.secret_sealed as "secretSealed",
           s.previous_secret_sealed as "previousSecretSealed"
    from environments e join webhook_subscriptions s on s.environment_id = e.id
    where e.game_id = ${gameId} limit 50`);

export type DeliveryOfEvent = Pick<Delivery, 'id' | 'body' | 'eventId' | 'idempotencyKey'>;

export const findDeliveryOfEvent = (
  db: Queryable,
  environmentId: string,
  eventId: string,
  subscriptionId: string,
): Promise<DeliveryOfEvent | null> =>
  db.queryOne(sql('delivery_find_of_event')`
    select d.id, d.body, d.event_id as "eventId", d.idempotency_key as "idempotencyKey" from events e
    join deliveries d on d.environment_id = e.environment_id and d.order_id = e.order_id and d.event_id = e.id
    where e.environment_id = ${environmentId} and e.id = ${eventId} and d.subscription_id = ${subscriptionId} limit 1`);

/** The oldest S2S key that was not revoked: the one that signs by default. */
export const findEnvironmentKey = (
  db: Queryable,
  environmentId: string,
): Promise<{ id: string; sealed: Buffer } | null> =>
  db.queryOne(sql('webhook_find_key')`
    select id, key_sealed as sealed from s2s_keys where environment_id = ${environmentId} and revoked_at is null
    order by id limit 1`);
