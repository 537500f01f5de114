import type { OrderStatus } from '@coinslot/contract';
import { type Queryable, sql, type Tx } from '../../db/statement.ts';
import { BUCKET_CHARS } from '../reporting/roll-ups/search-entries.sql.ts';
import { DELIVERIES, type Delivery } from '../webhook/delivery/delivery.sql.ts';

export interface OrderOfPlayer {
  id: string;
  status: OrderStatus;
}

/** Every order of a player, locked: no step of one comes between. */
export const lockOrdersOfPlayer = (tx: Tx, environmentId: string, playerId: string): Promise<OrderOfPlayer[]> =>
  tx.query(sql('player_lock_orders')`
    select id, status from orders where environment_id = ${environmentId} and player_id = ${playerId} order by id for update`);

export interface PlayerTraces {
  orderIds: string[];
  paymentIds: string[];
  deliveryIds: string[];
  emails: string[];
}

/** By which names the player is found elsewhere. */
export async function findTraces(
  tx: Tx,
  environmentId: string,
  playerId: string,
  orderIds: string[],
): Promise<PlayerTraces> {
  const [row] = await tx.query<Omit<PlayerTraces, 'orderIds'>>(sql('player_find_traces')`
    select
      array(select id from payments where environment_id = ${environmentId} and player_id = ${playerId}) as "paymentIds",
      array(select id from deliveries where environment_id = ${environmentId} and order_id = any(${orderIds}::text[]))
        as "deliveryIds",
      array(select distinct email from (
        select email from orders where environment_id = ${environmentId} and player_id = ${playerId}
        union all select email from payments where environment_id = ${environmentId} and player_id = ${playerId}
        union all select email from saved_methods where environment_id = ${environmentId} and player_id = ${playerId}
        union all select email from players where environment_id = ${environmentId} and player_id = ${playerId}) known
        where email is not null) as emails`);
  return { orderIds, ...row! };
}

/** Deletes the search entries and figures of the player. Must run before the payments lose their last four digits. */
export function deleteSearchEntries(tx: Tx, environmentId: string, playerId: string): void {
  tx.write(sql('player_delete_card_entries')`
    with cards as (
      select last4, left(id, ${BUCKET_CHARS}::int) as bucket, array_agg(id) as ids from payments
      where environment_id = ${environmentId} and player_id = ${playerId} and last4 is not null group by 1, 2
    ), found as (
      select s.term, s.bucket, s.batch, array(select i from unnest(s.ids) as i where i <> all(c.ids)) as ids
      from cards c join search_postings s on s.environment_id = ${environmentId} and s.kind = 'last4' and s.term = c.last4
        and s.bucket = c.bucket and s.ids && c.ids
    ), emptied as (
      delete from search_postings s using found f
      where s.environment_id = ${environmentId} and s.kind = 'last4' and s.term = f.term and s.bucket = f.bucket
        and s.batch = f.batch and cardinality(f.ids) = 0
    )
    update search_postings s set ids = f.ids, count = cardinality(f.ids) from found f
    where s.environment_id = ${environmentId} and s.kind = 'last4' and s.term = f.term and s.bucket = f.bucket
      and s.batch = f.batch and cardinality(f.ids) > 0`);
  tx.write(sql('player_delete_entries')`
    delete from search_entries
    where environment_id = ${environmentId} and id = ${playerId}`);
  tx.write(sql('player_delete_figures')`
    delete from player_figures where environment_id = ${environmentId} and player_id = ${playerId}`);
  tx.write(sql('player_delete_spend')`
    delete from player_spend where environment_id = ${environmentId} and player_id = ${playerId}`);
}

/** The books keep amounts, dates and a digest. */
export function updateBooksErased(tx: Tx, environmentId: string, playerId: string, digest: string): void {
  tx.write(sql('player_erase_orders')`
    update orders set player_id = ${digest}, email = null, details = json_build_object('country', details -> 'country',
      'locale', null, 'theme', 'auto', 'backToGameUrl', null, 'backToStoreUrl', null, 'metadata', json_build_object()),
      version = version + 1
    where environment_id = ${environmentId} and player_id = ${playerId}`);
  tx.write(sql('player_erase_payments')`
    update payments set player_id = ${digest}, email = null, last4 = null, instructions = null, save_method = false,
      payer_network = null, version = version + 1
    where environment_id = ${environmentId} and player_id = ${playerId}`);
  // Payments were renamed above, so the rows are found by the digest.
  tx.write(sql('player_erase_disputes')`
    update disputes set evidence = null where environment_id = ${environmentId} and evidence is not null and payment_id in
      (select id from payments where environment_id = ${environmentId} and player_id = ${digest})`);
  tx.write(sql('player_erase_dispute_files')`
    delete from dispute_files where environment_id = ${environmentId} and payment_id in
      (select id from payments where environment_id = ${environmentId} and player_id = ${digest})`);
  tx.write(sql('player_erase_simulated_charges')`
    update simulator.charges set evidence = null, last4 = null where environment_id = ${environmentId} and payment_id in
      (select id from payments where environment_id = ${environmentId} and player_id = ${digest})`);
  // A member's note on one of these payments may name the player.
  tx.write(sql('player_erase_marks')`
    update attention_marks m set note = '…' from payments p
    where p.environment_id = ${environmentId} and p.player_id = ${digest} and m.subject_id = p.id and m.note is not null
      and m.company_id = (select g.company_id from environments e join games g on g.id = e.game_id where e.id = ${environmentId})`);
  tx.write(sql('player_erase_customers')`
    update provider_customers set player_id = ${digest} where environment_id = ${environmentId} and player_id = ${playerId}`);
}

export async function deletePlayerRows(
  tx: Tx,
  environmentId: string,
  playerId: string,
  orderIds: string[],
): Promise<boolean> {
  const players = await tx.query(sql('player_delete')`
    delete from players where environment_id = ${environmentId} and player_id = ${playerId} returning player_id`);
  tx.write(sql('player_delete_buyer_months')`
    delete from buyer_months where environment_id = ${environmentId} and player_id = ${playerId}`);
  tx.write(sql('player_delete_methods')`
    delete from saved_methods where environment_id = ${environmentId} and player_id = ${playerId}`);
  tx.write(sql('player_delete_simulated_methods')`
    delete from simulator.saved_methods where environment_id = ${environmentId} and player_id = ${playerId}`);
  return players.length > 0 || orderIds.length > 0;
}

/** Events and deliveries: the player's name becomes the digest, free text and the game's answers go. */
export function updateEventsErased(tx: Tx, environmentId: string, digest: string, traces: PlayerTraces): void {
  const { orderIds, deliveryIds } = traces;
  tx.write(sql('player_erase_events')`
    update events set data = ((data::jsonb - 'metadata' - 'reason' - 'last4') || jsonb_build_object('player_id', ${digest}::text))::json
    where environment_id = ${environmentId} and order_id = any(${orderIds}::text[])`);
  tx.write(sql('player_erase_deliveries')`
    update deliveries set body = null
    where environment_id = ${environmentId} and order_id = any(${orderIds}::text[]) and body is not null`);
  tx.write(sql('player_erase_attempts')`
    update delivery_attempts set response_body = null
    where environment_id = ${environmentId} and delivery_id = any(${deliveryIds}::text[])`);
}

/** What the game has still to answer, or may be sent once more because it never did. */
export const lockWaitingItems = (tx: Tx, environmentId: string, orderIds: string[]): Promise<Delivery[]> =>
  tx.query(sql('player_lock_waiting_items')`
    select ${DELIVERIES.of('d')} from deliveries d
    where environment_id = ${environmentId} and order_id = any(${orderIds}::text[]) and lane = 'items'
      and (status in ('pending', 'blocked', 'held') or (status = 'exhausted' and event_type = 'item.remove'))
    order by id for update`);

export const updateBodiesKept = (tx: Tx, environmentId: string, bodies: ReadonlyMap<string, string>): void =>
  tx.write(sql('player_keep_bodies')`
    update deliveries d set body = kept.body
    from unnest(${[...bodies.keys()]}::text[], ${[...bodies.values()]}::text[]) as kept (id, body)
    where d.environment_id = ${environmentId} and d.lane = 'items' and d.id = kept.id`);

export function deleteMailsOf(tx: Tx, environmentId: string, { paymentIds, emails }: PlayerTraces): void {
  tx.write(sql('player_delete_mails')`
    delete from mails where environment_id = ${environmentId}
      and (about = any(${paymentIds.map(id => `receipt ${id}`)}::text[]) or recipient = any(${emails}::text[]))`);
}

export interface MailToPlayer {
  kind: string;
  recipient: string;
  subject: string;
  createdAt: Date;
}

export const listMailsTo = (db: Queryable, environmentId: string, paymentIds: string[]): Promise<MailToPlayer[]> =>
  db.query(sql('player_list_mails')`
    select kind, recipient, subject, created_at as "createdAt" from mails
    where environment_id = ${environmentId} and about = any(${paymentIds.map(id => `receipt ${id}`)}::text[]) order by id`);

export interface MethodOfPlayer {
  method: string;
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
  createdAt: Date;
}

export const listMethodsOf = (db: Queryable, environmentId: string, playerId: string): Promise<MethodOfPlayer[]> =>
  db.query(sql('player_list_methods')`
    select method, brand, last4, expiry_month as "expiryMonth", expiry_year as "expiryYear", created_at as "createdAt"
    from saved_methods where environment_id = ${environmentId} and player_id = ${playerId} order by id`);
