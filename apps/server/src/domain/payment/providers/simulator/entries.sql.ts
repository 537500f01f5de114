import { type Queryable, type RowOf, sql, table, typed } from '../../../../db/statement.ts';
import type { ChargeRef, SavedMethod } from '../base/gateway.ts';
import type { DayRange } from '../base/provider-day.ts';
import type { CardBehavior } from './test-cards.ts';

export const insertSimulatedEntries = (db: Queryable, ref: ChargeRef, kinds: string[]): Promise<void> =>
  db.execute(sql('simulator_entries_insert')`
    insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
    select environment_id, payment_id, unnest(${kinds}::text[]), amount_minor, currency, app_now()
    from simulator.charges where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}
    on conflict do nothing`);

const ENTRIES = table('simulator.entries', {
  paymentId: 'text',
  kind: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  createdAt: 'timestamptz',
});

export const listSimulatedEntries = (
  db: Queryable,
  environmentId: string,
  { fromSeconds, toSeconds }: DayRange,
): Promise<RowOf<typeof ENTRIES>[]> =>
  db.query(sql('simulator_entries_list')`
    select ${ENTRIES.columns} from simulator.entries
    where environment_id = ${environmentId} and created_at >= to_timestamp(${fromSeconds})
      and created_at < to_timestamp(${toSeconds})
    order by created_at, payment_id, kind`);

const SAVED = table('simulator.saved_methods', {
  token: 'text',
  behavior: typed<CardBehavior['kind']>('text'),
  brand: 'text',
  last4: 'text',
  country: 'text',
  expiryMonth: 'int',
  expiryYear: 'int',
});
const SHOWN = SAVED.omit('behavior, country');
const PAYS = SAVED.omit('token');

/** Null when the charge holds no money. Saving twice answers the same token. */
export const insertSimulatedMethod = (
  db: Queryable,
  ref: ChargeRef & { playerId: string },
): Promise<SavedMethod | null> =>
  db.queryOne(sql('simulator_saved_method_insert')`
    insert into simulator.saved_methods (environment_id, payment_id, player_id, token, ${PAYS.names}, created_at)
    select environment_id, payment_id, ${ref.playerId}, 'sim_' || replace(gen_random_uuid()::text, '-', ''), ${PAYS.names},
      app_now()
    from simulator.charges
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and status in ('authorized', 'captured')
    on conflict (environment_id, payment_id) do update set token = saved_methods.token
    returning ${SHOWN.columns}`);

interface SavedRef {
  environmentId: string;
  token: string;
  /** Undefined: of any player. */
  playerId?: string | undefined;
}

export const findSimulatedMethod = (db: Queryable, of: SavedRef): Promise<RowOf<typeof PAYS> | null> =>
  db.queryOne(sql('simulator_saved_method_find')`
    select ${PAYS.columns} from simulator.saved_methods
    where environment_id = ${of.environmentId} and token = ${of.token}
      and player_id = coalesce(${of.playerId ?? null}::text, player_id)`);

export const deleteSimulatedMethod = (db: Queryable, of: Required<SavedRef>): Promise<unknown> =>
  db.query(sql('simulator_saved_method_delete')`
    delete from simulator.saved_methods
    where environment_id = ${of.environmentId} and player_id = ${of.playerId} and token = ${of.token}`);
