-- The one clock of the shop. Inlined, so it costs what now() costs; tests replace it to move time.
create function app_now() returns timestamptz language sql stable parallel safe as 'select now()';

-- account ---------------------------------------------------------------------------------------

create table users (
  id text collate "C" primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table companies (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz not null
);

create table members (
  company_id text collate "C" not null references companies,
  user_id text collate "C" not null references users,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  created_at timestamptz not null,
  primary key (company_id, user_id)
);

create table games (
  id text collate "C" primary key,
  company_id text collate "C" not null references companies,
  name text not null,
  store text not null,
  store_app_id text not null,
  store_url text not null,
  created_at timestamptz not null
);
create index games_by_company on games (company_id);

create table environments (
  id text collate "C" primary key,
  game_id text collate "C" not null references games,
  mode text not null check (mode in ('live', 'sandbox')),
  default_price_minor bigint check (default_price_minor >= 0),
  default_currency text,
  secret_overlap_seconds int not null default 86400 check (secret_overlap_seconds between 0 and 604800),
  created_at timestamptz not null,
  unique (game_id, mode),
  check ((mode = 'sandbox') = (default_price_minor is not null and default_currency is not null))
);

create table s2s_keys (
  environment_id text collate "C" not null references environments,
  id text collate "C" not null,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (environment_id, id)
);

-- catalog ---------------------------------------------------------------------------------------

create table items (
  environment_id text collate "C" not null,
  sku text collate "C" not null,
  id text collate "C" not null,
  name text,
  description text,
  image_url text,
  price_minor bigint check (price_minor >= 0),
  currency text,
  sale json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, sku),
  check ((price_minor is null) = (currency is null))
);

create unique index items_by_id on items (environment_id, id);

create table players (
  environment_id text collate "C" not null,
  player_id text collate "C" not null,
  name text,
  avatar_url text,
  email text,
  attributes json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, player_id)
);

-- order -----------------------------------------------------------------------------------------

-- No foreign key to environments: its check would touch one hot row for every order, and the S2S key already proved it.
create table orders (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  player_id text collate "C" not null,
  status text not null check (status in ('created', 'pending', 'authorized', 'paid', 'rejected', 'canceled', 'expired',
                                         'refund_requested', 'refunded', 'disputed', 'charged_back')),
  amount_minor bigint not null check (amount_minor between 0 and 10000000000000),
  currency text not null,
  items json not null,
  details json not null,
  email text,
  problem text,
  granted_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1,
  primary key (environment_id, id),
  check (expires_at <= created_at + interval '24 hours')
) with (fillfactor = 80);
-- Secondary indexes do not lead with the environment: on a nearly empty table the planner could not tell them from the
-- primary key, and a plan that reads a whole environment to find one row would stay with the prepared statement.
-- Without the id: players recur, so their entries fold together and an insert touches few pages.
create index orders_by_player on orders (player_id, environment_id);
create index orders_by_status on orders (status, environment_id, id) where status <> 'created';
-- What lapses next, so that expiry never looks at an order whose time has not come.
create index orders_by_expiry on orders (expires_at) where status = 'created';

create table idempotency_keys (
  environment_id text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  order_id text collate "C" not null,
  warnings json,
  created_at timestamptz not null,
  primary key (environment_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- payment ---------------------------------------------------------------------------------------

create table payments (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  player_id text collate "C" not null,
  status text not null check (status in ('pending', 'requires_action', 'authorized', 'succeeded', 'declined', 'abandoned',
                                         'voided', 'refund_requested', 'refunded', 'disputed', 'charged_back')),
  gateway text not null,
  method text not null,
  brand text,
  last4 text,
  country text,
  email text,
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  response_code text,
  response_description text,
  refund_reason text,
  dispute_reason text,
  problem text,
  -- When a worker must look at this payment again; the process that works on it keeps pushing it ahead.
  next_check_at timestamptz,
  check_tries int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authorized_at timestamptz,
  captured_at timestamptz,
  refunded_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, order_id) references orders (environment_id, id)
) with (fillfactor = 80);
create index payments_by_order on payments (order_id, environment_id, id);
create index payments_by_player on payments (player_id, environment_id, id);
create index payments_due on payments (next_check_at) where next_check_at is not null;
-- One order, one payment that holds or may hold money.
create unique index payments_one_live on payments (order_id, environment_id)
  where status in ('pending', 'requires_action', 'authorized', 'succeeded', 'refund_requested', 'disputed');

-- webhook ---------------------------------------------------------------------------------------

create table webhook_subscriptions (
  environment_id text collate "C" not null references environments,
  id text collate "C" not null,
  url text not null,
  description text not null,
  method text not null check (method = 'POST'),
  events text[] not null,
  -- Derived from events by the program: holds item.add or item.remove.
  takes_items boolean not null,
  enabled boolean not null,
  enabled_logs boolean not null,
  player_context_enabled boolean not null,
  -- Null: signs with the environment's S2S key.
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index webhook_one_item_endpoint on webhook_subscriptions (environment_id) where enabled and takes_items;

create table events (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  seq bigint generated always as identity,
  type text not null,
  order_id text collate "C",
  data json not null,
  -- Somebody observes this kind and the deliveries are not made yet.
  fan_out boolean not null,
  created_at timestamptz not null,
  primary key (environment_id, id)
);
create index events_by_order on events (order_id, environment_id, seq);
create index events_to_fan_out on events (seq) where fan_out;
-- One grant, one removal and one first opening for an order, whatever is pressed twice.
create unique index events_item_once on events (order_id, environment_id, type) 
  where type in ('item.add', 'item.remove', 'checkout.opened');

create table deliveries (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  order_id text collate "C",
  lane text not null check (lane in ('items', 'observer')),
  subscription_id text collate "C",
  idempotency_key text not null,
  status text not null check (status in ('pending', 'blocked', 'held', 'succeeded', 'declined', 'exhausted', 'canceled')),
  -- The bytes, made once when the subscription is known, sent unchanged at every attempt.
  body text,
  attempts_made int not null default 0,
  -- Due time while pending; a lease while an attempt runs.
  next_attempt_at timestamptz,
  claim_id text,
  give_up_at timestamptz,
  last_status int,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (environment_id, id),
  check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 80);
create index deliveries_due on deliveries (next_attempt_at) where status = 'pending';
create index deliveries_by_subscription on deliveries (subscription_id, environment_id, id);
create index deliveries_by_order on deliveries (order_id, environment_id, lane, id);
create index deliveries_held on deliveries (environment_id, lane, id) where status = 'held';
create index deliveries_to_give_up on deliveries (give_up_at) where status = 'held';

create table delivery_attempts (
  environment_id text collate "C" not null,
  delivery_id text collate "C" not null,
  attempt int not null,
  started_at timestamptz not null,
  duration_ms int not null,
  url text not null,
  status int,
  request_headers json not null,
  response_headers json,
  response_body text,
  error text,
  primary key (environment_id, delivery_id, attempt)
);

-- jobs ------------------------------------------------------------------------------------------

create table jobs (
  id text collate "C" primary key,
  environment_id text collate "C",
  name text not null,
  payload json not null,
  run_at timestamptz not null,
  tries int not null default 0,
  claim_id text,
  last_error text,
  created_at timestamptz not null
) with (fillfactor = 80);
create index jobs_due on jobs (run_at);
