import type { EventSelector } from '@coinslot/contract';
import { type Queryable, ROWS, type RowOf, rowsOf, sqlForRows, typed } from '../../../db/statement.ts';
import type { Mode } from '../../game/environment.ts';
import { IS_LIMITED } from '../health/endpoint-health.sql.ts';

const TARGETS = rowsOf({
  subscriptionId: 'text',
  url: 'text',
  /** Which enabling this attempt belongs to. */
  enableCount: 'int',
  events: typed<EventSelector[]>('text[]'),
  enabledLogs: 'boolean',
  playerContextEnabled: 'boolean',
  secretSealed: 'bytea?',
  previousSecretSealed: 'bytea?',
  keyId: 'text',
  keySealed: 'bytea',
  gameId: 'text',
  mode: typed<Mode>('text'),
  /** The studio wants the money of an unanswered grant released after this; null: when the attempts are used up. */
  releaseGrantAfterSeconds: 'int?',
  /** It failed lately, so that its answers tell whether it is back. */
  isWatched: 'boolean',
  /** It has fewer slots than usual: a new delivery waits for one. */
  isLimited: 'boolean',
});

export type DeliveryTarget = RowOf<typeof TARGETS>;

/**
 * One endpoint by its id, or the one that is asked about items: a listener before the registered one, the newest first.
 * Null: no enabled subscription takes it.
 */
interface Wanted {
  environmentId: string;
  /** Absent for items. */
  subscriptionId?: string;
}

const findTargets = sqlForRows<Wanted, DeliveryTarget>('webhook_find_target', {
  environmentId: 'text',
  subscriptionId: 'text',
})`
  select w.n, ${TARGETS.of('found')}
  from ${ROWS} as w
  cross join lateral (
    select s.id as subscription_id, s.url, s.enable_count, s.events, s.enabled_logs, s.player_context_enabled, s.secret_sealed,
           case when s.previous_secret_until > app_now() then s.previous_secret_sealed end as previous_secret_sealed,
           k.id as key_id, k.key_sealed, e.game_id, e.mode, e.release_grant_after_seconds,
           h.endpoint is not null as is_watched, coalesce(${IS_LIMITED}, false) as is_limited
    from webhook_subscriptions s
    join environments e on e.id = s.environment_id
    join lateral (select id, key_sealed from s2s_keys where environment_id = s.environment_id and revoked_at is null
                  order by id limit 1) k on true
    left join endpoint_health h on h.endpoint = coalesce(w.subscription_id, w.environment_id)
    where s.environment_id = w.environment_id and s.enabled
      and (s.id = w.subscription_id or (w.subscription_id is null and s.takes_items))
      and (s.listening_until is null or s.listening_until > app_now())
    order by s.listening_until is null, s.id desc limit 1) found`;

const findEnabled = async (db: Queryable, wanted: Wanted): Promise<DeliveryTarget | null> =>
  (await db.queryRow(findTargets, wanted)) ?? null;

export const findItemTarget = (db: Queryable, environmentId: string): Promise<DeliveryTarget | null> =>
  findEnabled(db, { environmentId });

export const findTarget = (
  db: Queryable,
  environmentId: string,
  subscriptionId: string,
): Promise<DeliveryTarget | null> => findEnabled(db, { environmentId, subscriptionId });
