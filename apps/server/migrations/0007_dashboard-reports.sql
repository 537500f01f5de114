-- What the dashboard lists and draws. Nothing here is written on the way of an order but index entries, and most of those
-- only once, when a payment is settled.

-- lists -----------------------------------------------------------------------------------------

-- Each leads with what it finds and ends with the id, so that any filter is walked newest first and can be left at any row.
create index payments_by_status on payments (status, environment_id, id);
create index payments_settled_by_method on payments (method, environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized');
create index payments_settled_by_brand on payments (brand, environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized') and brand is not null;
create index payments_settled_by_country on payments (country, environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized') and country is not null;
create index payments_settled_by_currency on payments (currency, environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized');
create index payments_settled_by_code on payments (response_code, environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized') and response_code is not null;
create index payments_settled_by_amount on payments (amount_minor, environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized');
create index payments_settled_by_email on payments ((lower(email) collate "C"), environment_id, id)
  where status not in ('pending', 'requires_action', 'authorized') and email is not null;

-- Only what did not go well, and few do not.
create index deliveries_with_problems on deliveries (status, environment_id, id)
  where status in ('blocked', 'held', 'declined', 'exhausted', 'canceled');
create index deliveries_open_removals on deliveries (environment_id, id)
  where event_type = 'item.remove' and status in ('pending', 'blocked', 'held');

create index audit_by_object on audit_entries (object_id, company_id);

-- figures ---------------------------------------------------------------------------------------

-- Both grow at their right end only, which is the cheapest an index can be. Creating an order pays nothing for it.
create index events_by_seq on events (seq) where type <> 'order.created';
create index delivery_attempts_by_time on delivery_attempts (started_at);

-- What happened in each hour (UTC), rolled up from events and orders.
create table figures_hourly (
  environment_id text collate "C" not null,
  measure text not null check (measure in ('orders', 'opened', 'started', 'paid', 'returned', 'declined')),
  hour timestamptz not null,
  -- The currency of money, the response code of a decline, else empty.
  key text not null,
  count bigint not null check (count > 0),
  amount_minor bigint not null,
  primary key (environment_id, measure, hour, key)
) with (fillfactor = 70);

-- Values that occur in payments, for the menus of the filters.
create table payment_values (
  environment_id text collate "C" not null,
  facet text not null check (facet in ('method', 'brand', 'country', 'currency', 'response_code')),
  value text not null,
  label text,
  primary key (environment_id, facet, value)
);

-- How sending went in each quarter of an hour, by how long it took.
create table delivery_figures (
  environment_id text collate "C" not null,
  subscription_id text collate "C" not null,
  at timestamptz not null,
  -- Which step of latency: see LATENCY_STEPS_MS.
  latency int not null,
  attempts bigint not null check (attempts > 0),
  succeeded bigint not null,
  primary key (environment_id, subscription_id, at, latency)
) with (fillfactor = 70);

-- How far each roll-up has read. Moved in the transaction that adds what was read, so every row counts exactly once.
create table roll_up_positions (
  name text primary key check (name in ('events', 'orders', 'attempts')),
  seq bigint not null default 0,
  -- Events up to here are rolled up when every transaction that may still hold an earlier one has ended.
  next_seq bigint,
  next_noted_at timestamptz,
  next_xmax xid8,
  until_time timestamptz
);
insert into roll_up_positions (name) values ('events'), ('orders'), ('attempts');
