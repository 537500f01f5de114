-- runs in a transaction
-- oldest program: 0001

-- The one clock of the shop. PostgreSQL inlines it, so it costs what now() costs; tests replace it to move time.
create function app_now() returns timestamptz language sql stable parallel safe as 'select now()';

-- Ids begin with their time, so a table that is cut by its ids is cut by time, and its key need not hold a date.
create function id_bound(prefix text, at timestamptz) returns text language sql immutable strict as $$
  select prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
    ((floor(extract(epoch from at) * 1000)::bigint >> (45 - 5 * i)) & 31)::int + 1, 1), '' order by i)
  from generate_series(0, 9) i $$;

-- What grows with every order and is not kept for ever: one partition for each month (UTC), dropped whole. What has no
-- month of its own goes to the rest: what came before its month was made, until it is, and the attempts of a delivery
-- whose month is gone.
create table time_partitions (
  kind text primary key,
  parent text not null,
  prefix text not null,
  -- What is older is gone, by our own hand; null while nothing is.
  kept_from timestamptz,
  -- The highest number of an event that went with its month.
  removed_seq bigint not null default 0
);

create function make_partition(parent text, prefix text, month timestamptz) returns void language plpgsql as $$
declare
  name text := parent || '_' || to_char(month at time zone 'utc', 'YYYYMM');
  next_month timestamptz := (month at time zone 'utc' + interval '1 month') at time zone 'utc';
  rest text := parent || '_rest';
  key text := case parent when 'delivery_attempts' then 'delivery_id' else 'id' end;
begin
  if to_regclass(name) is not null then return; end if;
  -- What is claimed is written again: there is room for it in the page where it is. The others are written once.
  execute format('create table %I (like %I including defaults including constraints) with (fillfactor = %s)', name, parent,
                 case parent when 'deliveries_observer' then 50 else 100 end);
  -- A month cannot be made while the rest holds rows of it, and none may come in between.
  execute format('lock table %I in access exclusive mode', rest);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
                 rest, key, id_bound(prefix, month), key, id_bound(prefix, next_month), name);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name,
                 id_bound(prefix, month), id_bound(prefix, next_month));
end $$;

-- user ------------------------------------------------------------------------------------------

create table users (
  id text collate "C" primary key,
  email text not null,
  -- The one form of the address (`emailKey`), by which it is looked up and unique.
  email_key text collate "C" not null,
  -- Null until a link that was sent to the address was opened; the account may send no mail to others before.
  email_verified_at timestamptz,
  name text not null default '',
  password_hash text not null,
  -- Null follows the browser.
  locale text,
  totp_sealed bytea,
  -- Null while the secret is handed over but not proven.
  totp_confirmed_at timestamptz,
  -- The time step of the last accepted code: a code works once.
  totp_last_step bigint not null default 0,
  created_at timestamptz not null
);
-- Which user signs in with this address; one account per address, in any case and form of letters.
create unique index users_email on users (email_key);

create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users,
  -- Unique, because each request asks which session its cookie belongs to.
  token_hash bytea not null unique,
  -- The token before the last proof: it opens nothing, and only tells its browser to send the cookie that it has by now.
  former_token_hash bytea unique,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- When the user last proved a password or passkey in it.
  confirmed_at timestamptz not null,
  expires_at timestamptz not null,
  signed_in_by text not null default 'password' check (signed_in_by in ('password', 'passkey', 'sso')),
  -- A session by single sign-on opens this company alone, with the role that the groups of the user give.
  sso_company_id text collate "C",
  sso_role text check (sso_role in ('developer', 'support', 'viewer')),
  sso_subject text,
  -- When the identity provider last said that the user is still in such a group.
  sso_checked_at timestamptz,
  -- What the identity provider is asked with.
  sso_token_sealed bytea,
  -- Until when one process asks the identity provider: a token for asking may work once.
  sso_asking_until timestamptz,
  check ((signed_in_by = 'sso') = (sso_company_id is not null))
) with (fillfactor = 80);
-- Which sessions a company's single sign-on opened, to end them with it.
create index sessions_by_sso on sessions (sso_company_id) where sso_company_id is not null;
-- Which sessions a user has, to list them or to end them.
create index sessions_by_user on sessions (user_id, id);
-- Which sessions are over and can be deleted.
create index sessions_by_expiry on sessions (expires_at);

create table recovery_codes (
  user_id text collate "C" not null references users,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- The public halves of keys that a user's devices keep.
create table passkeys (
  user_id text collate "C" not null references users,
  id text collate "C" not null,
  -- As the authenticator names it; unique, because a sign-in without a password is looked up by it.
  credential_id text collate "C" not null unique,
  name text not null,
  public_key bytea not null,
  -- Grows with each use where the authenticator counts; one that does not grow was copied.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, id)
);

-- What an authenticator is asked to sign, once.
create table passkey_challenges (
  challenge_hash bytea primary key,
  kind text not null check (kind in ('add', 'sign_in', 'confirm')),
  -- Null for a sign-in, where the user is not known yet.
  user_id text collate "C",
  expires_at timestamptz not null
);
-- Which challenges are over and can be deleted.
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Links that were sent by e-mail and work once.
create table mail_links (
  token_hash bytea primary key,
  user_id text collate "C" not null references users,
  kind text not null check (kind in ('password_reset', 'email_change', 'email_verify')),
  email text not null,
  -- The session that asked for it, which stays when the link ends the others.
  session_id text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- Which link of a kind a user still has, since a new one replaces it.
create index mail_links_by_user on mail_links (user_id, kind);

-- Wrong passwords, by account and by address, counted for every process together.
create table sign_in_failures (
  key text collate "C" primary key,
  failures int not null,
  last_at timestamptz not null
) with (fillfactor = 70);
-- Which counters are old enough to be deleted.
create index sign_in_failures_by_age on sign_in_failures (last_at);

-- company ---------------------------------------------------------------------------------------

create table companies (
  id text collate "C" primary key,
  name text not null,
  receipt_sender_name text,
  receipt_reply_to text,
  -- Members without a second factor see only how to add one.
  requires_second_factor boolean not null default false,
  -- What page and receipts say of who sells: names, numbers and links, null until the first is given.
  seller json,
  -- Since when it holds all that players are owed: name, support, terms and privacy.
  seller_complete_at timestamptz,
  -- The currency in which reports add up all others, and the studio's own rates for it; null: no such sum.
  report_rates json,
  created_at timestamptz not null
);

create table members (
  company_id text collate "C" not null references companies,
  user_id text collate "C" not null references users,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  -- The member came by single sign-on, and comes in no other way.
  via_sso boolean not null default false,
  -- Sessions whose user has not proven who they are since then do not open the company.
  sessions_ended_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, user_id)
);
-- Which companies a user belongs to.
create index members_by_user on members (user_id);

-- Where the members of a company sign in: an identity provider of its own, by OpenID Connect.
create table company_sso (
  company_id text collate "C" primary key references companies,
  issuer text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  -- Addresses of other domains are refused.
  domains text[] not null,
  group_claim text not null,
  -- Which role the members of a group have; the highest counts.
  roles json not null,
  required boolean not null,
  updated_at timestamptz not null
);

-- The user behind a subject of an identity provider.
create table sso_subjects (
  company_id text collate "C" not null references companies,
  issuer text not null,
  subject text not null,
  user_id text collate "C" not null references users,
  primary key (company_id, issuer, subject)
);

-- Sign-ins that were begun, each for the browser that began it.
create table sso_logins (
  state_hash bytea primary key,
  company_id text collate "C" not null,
  browser_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null
);
-- Which of them are over and can be deleted.
create index sso_logins_by_expiry on sso_logins (expires_at);

create table invitations (
  company_id text collate "C" not null references companies,
  id text collate "C" not null,
  email text not null,
  email_key text collate "C" not null,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  -- Unique, because the link in the mail is looked up by it.
  token_hash bytea not null unique,
  invited_by text collate "C" not null references users,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, id)
);
-- Whether an address is invited already: sending again renews the one invitation.
create unique index invitations_one_each on invitations (company_id, email_key);
-- Which invitations a member sent: they end with the membership.
create index invitations_by_sender on invitations (invited_by, company_id);

create table audit_entries (
  id text collate "C" primary key,
  -- Null for what a user did to their own account.
  company_id text collate "C",
  environment_id text collate "C",
  user_id text collate "C",
  -- The e-mail address as it was, so that the entry names the actor after the user is gone.
  actor text not null,
  kind text not null,
  object_id text,
  -- Never a secret.
  before json,
  after json,
  ip text,
  created_at timestamptz not null,
  -- Drawn at the insert, so that writers do not wait for each other; the chain goes along it.
  seq bigint not null generated always as identity
);
-- Which entries the chain does not hold yet, and which entry a link stands for.
create unique index audit_by_seq on audit_entries (seq);
-- What was done in a company, newest first.
create index audit_by_company on audit_entries (company_id, id);
-- What one member did in a company, newest first.
create index audit_by_actor on audit_entries (user_id, company_id, id);
-- What happened to one user's own account, newest first.
create index audit_by_user on audit_entries (user_id, id) where company_id is null;
-- What members did to one order or payment, for its timeline.
create index audit_by_object on audit_entries (object_id, company_id);

create function refuse_audit_change() returns trigger language plpgsql as
$$ begin raise exception 'the audit log is append only'; end $$;
create trigger audit_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();

-- One link for each entry: a MAC, under a key that the database does not hold, over the link before and the entry. A worker
-- adds them a moment later.
create table audit_links (
  seq bigint primary key,
  mac bytea not null
);
create trigger audit_links_append_only before update or delete or truncate on audit_links
  for each statement execute function refuse_audit_change();

-- game ------------------------------------------------------------------------------------------

create table games (
  id text collate "C" primary key,
  company_id text collate "C" not null references companies,
  name text not null,
  store text not null,
  store_app_id text not null,
  store_url text not null,
  -- How the payment page looks for the game. The page itself keeps the contrast, so any color may stand here.
  -- An address elsewhere, or the path of the game's row in game_icons.
  icon_url text check (icon_url ~ '^(https://|/icons/[0-9a-f]{32}\.png$)'),
  logo_url text check (logo_url ~ '^https://'),
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null
);
-- Which games a company has; each game of a store once.
create unique index games_once on games (company_id, store, store_app_id);

-- Icons that were uploaded, as we drew them. An id is a hash of the picture, so what it names never changes.
create table game_icons (
  game_id text collate "C" primary key references games,
  -- Which picture an address names: every first look at a payment page asks.
  id text collate "C" not null unique,
  png bytea not null check (octet_length(png) < 2000000),
  created_at timestamptz not null
);

create table environments (
  id text collate "C" primary key,
  game_id text collate "C" not null references games,
  mode text not null check (mode in ('live', 'sandbox')),
  default_price_minor bigint check (default_price_minor >= 0),
  default_currency text,
  secret_overlap_seconds int not null default 86400 check (secret_overlap_seconds between 0 and 604800),
  -- Null: as long as the schedule of attempts lasts.
  release_grant_after_seconds int check (release_grant_after_seconds between 60 and 259200),
  -- Deliveries are delayed, doubled and lost, and the simulated provider fails now and then. Never where money is real.
  chaos boolean not null default false check (mode = 'sandbox' or not chaos),
  created_at timestamptz not null,
  unique (game_id, mode),
  check ((mode = 'sandbox') = (default_price_minor is not null and default_currency is not null))
);

create table s2s_keys (
  environment_id text collate "C" not null references environments,
  id text collate "C" not null,
  label text not null default '',
  -- Unique, because each S2S request asks which environment its key belongs to.
  key_hash bytea not null unique,
  key_sealed bytea not null,
  created_by text collate "C",
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (environment_id, id)
);

-- What game backends asked lately. Written a second later and lost with a crash, which is fine for looking at mistakes.
create unlogged table request_log (
  environment_id text collate "C" not null,
  key_id text collate "C" not null,
  id text collate "C" not null,
  method text not null,
  -- Without query and without the id of a player.
  path text not null,
  status integer not null,
  code text,
  detail text,
  duration_ms integer not null,
  created_at timestamptz not null,
  primary key (environment_id, key_id, id)
);
-- Which requests are a day old and can be deleted.
create index request_log_by_age on request_log (created_at);

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
-- Which items an environment has, newest first, from any item on.
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
-- Which players changed with some orders: nearly all orders change none.
create index players_by_change on players (updated_at);

-- order -----------------------------------------------------------------------------------------

-- An order or a payment that was changed since it was read is not overwritten. By this state the program knows that the
-- transaction must be done again from the start.
create function refuse_stale_row() returns trigger language plpgsql as $$
begin
  raise exception '% % was changed since it was read', tg_table_name, new.id using errcode = 'serialization_failure';
end $$;

-- The same for what is written without a look at what was written: a row that is not as it was expected fails the transaction.
create function refuse_fewer(written bigint, expected bigint) returns void language plpgsql as $$
begin
  if written < expected then
    raise exception '% of % rows were changed since they were read', expected - written, expected using errcode = 'serialization_failure';
  end if;
end $$;

-- Numbers events and orders in one line, so that the feed of events puts a creation, which it reads from its order, between
-- the events around it. Numbers are drawn in ascending order only with a cache of 1.
create sequence events_seq;

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
  problem json,
  -- What the game said to its player when it refused the items.
  player_message text,
  -- The same as its payment's, so that a list of orders need not look at payments.
  attention json,
  -- When its page was opened first.
  opened_at timestamptz,
  granted_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1,
  -- In the order of insertion, whatever the clocks of the processes that make the ids say.
  seq bigint not null default nextval('events_seq'),
  -- The status as indexes see it: all before the end is one, so that every step but the last is written into the page where
  -- the order is and enters no index. Of these, those that are being paid have a payment whose stage is the same.
  stage text collate "C" not null generated always as (
    case when status in ('created', 'pending', 'authorized') then 'open' else status end) stored,
  primary key (environment_id, id),
  check (expires_at <= created_at + interval '24 hours'),
  -- A status that says that something happened says when.
  constraint orders_paid_has_its_times
    check (status not in ('paid', 'disputed', 'charged_back') or (paid_at is not null and granted_at is not null)),
  constraint orders_paid_was_granted check (paid_at is null or granted_at is not null),
  constraint orders_unpaid_has_no_paid_at
    check (status not in ('created', 'pending', 'authorized', 'rejected', 'canceled', 'expired') or paid_at is null),
  constraint orders_unpaid_was_not_granted
    check (status not in ('created', 'pending', 'canceled', 'expired') or granted_at is null)
) with (fillfactor = 80);
-- Columns that only their own statement writes (when the page was opened) are not in the list; every other update compares
-- the version.
create trigger orders_stale after update of player_id, status, amount_minor, currency, items, details, email, problem,
  player_message, attention, granted_at, paid_at, created_at, expires_at, updated_at, version on orders
  for each row when (new.version <> old.version + 1) execute function refuse_stale_row();
-- Which orders need attention: nearly always few.
create index orders_needing_attention on orders (environment_id, id) where attention is not null;
-- Secondary indexes do not lead with the environment: on a nearly empty table the planner could not tell them from the
-- primary key, and a plan that reads a whole environment to find one row would stay with the prepared statement.
-- Which orders a player has; without the id, equal entries share one index tuple and an insert touches few pages.
create index orders_by_player on orders (player_id, environment_id);
-- Which orders that are over have a status, newest first. Those that are being paid are found by their payments.
create index orders_by_stage on orders (stage, environment_id, id) where stage <> 'open';
-- Which orders expire next, so that the worker never reads an order whose time has not come.
create index orders_by_expiry on orders (expires_at) where stage = 'open';
-- Which orders came after a position, to count them and for the feed of events.
create index orders_by_seq on orders (seq);

create table idempotency_keys (
  environment_id text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  order_id text collate "C" not null,
  warnings json,
  created_at timestamptz not null,
  primary key (environment_id, key)
);
-- Which keys are older than a day and can be deleted.
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- payment ---------------------------------------------------------------------------------------

-- No foreign key to orders: a payment is inserted by the transaction that writes its order, and the check would lock that again.
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
  -- The part that went back at the provider without us.
  returned_minor bigint not null default 0,
  response_code text,
  response_description text,
  refund_reason text,
  dispute_reason text,
  problem json,
  -- What the bank's questions came to, as the provider said last.
  dispute_status text,
  -- Why money waits for a studio member: code, since, detail. Set and cleared by the step that learns of it.
  attention json,
  -- The player has done everything and the money comes by itself, in minutes or days: how to pay, and until when.
  instructions json,
  -- A keyed digest of the payer's network address, in live only: for the limit of declined attempts.
  payer_network text,
  -- The player wants the method saved once it has paid.
  save_method boolean not null default false,
  -- When a worker must look at this payment again; the process that works on it keeps moving the date ahead.
  next_check_at timestamptz,
  check_tries int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1,
  authorized_at timestamptz,
  captured_at timestamptz,
  refunded_at timestamptz,
  -- A member settled it outside of Coinslot: no worker asks for it until the provider says that it moved.
  settled_at timestamptz,
  -- Made by the page for what was typed into its form: the same form sent again is the same attempt.
  attempt_key text collate "C",
  -- As indexes see it: until it is settled nothing that an index holds changes, so a step before that is written into the
  -- page where the payment is and enters no index.
  stage text collate "C" not null generated always as (
    case when status in ('pending', 'requires_action', 'authorized') then 'open' else status end) stored,
  settled_brand text generated always as (
    case when status not in ('pending', 'requires_action', 'authorized') then brand end) stored,
  settled_country text generated always as (
    case when status not in ('pending', 'requires_action', 'authorized') then country end) stored,
  settled_code text generated always as (
    case when status not in ('pending', 'requires_action', 'authorized') then response_code end) stored,
  primary key (environment_id, id),
  -- A status that says that something happened says when.
  constraint payments_begun_has_no_times check (status not in ('pending', 'requires_action', 'declined', 'abandoned')
    or (authorized_at is null and captured_at is null and refunded_at is null)),
  constraint payments_reserved_has_its_time
    check (status in ('pending', 'requires_action', 'declined', 'abandoned') or authorized_at is not null),
  constraint payments_captured_has_its_time
    check (status not in ('succeeded', 'disputed', 'charged_back') or captured_at is not null),
  constraint payments_not_captured_yet check (status <> 'authorized' or (captured_at is null and refunded_at is null)),
  constraint payments_refunded_has_its_time check (status <> 'refunded' or refunded_at is not null)
) with (fillfactor = 80);
-- When a worker looks again is a queue's business; every other update compares the version.
create trigger payments_stale after update of order_id, player_id, status, gateway, method, brand, last4, country, email,
  amount_minor, currency, response_code, response_description, refund_reason, dispute_reason, problem, dispute_status,
  attention, instructions, payer_network, save_method, created_at, updated_at, version, authorized_at, captured_at, refunded_at,
  settled_at, attempt_key on payments
  for each row when (new.version <> old.version + 1) execute function refuse_stale_row();
-- Which payments an order has: any number that are over, and one at most that holds or may hold money.
create unique index payments_by_order on payments (order_id, environment_id,
  (case when stage in ('open', 'succeeded', 'refund_requested', 'disputed') then '' else id end));
-- Which payments a player made, newest first.
create index payments_by_player on payments (player_id, environment_id, id);
-- How often payments from one network address were declined lately; sandbox has none.
create index payments_by_network on payments (payer_network, environment_id, created_at) where payer_network is not null;
-- Which payments a worker must look at now.
create index payments_due on payments (next_check_at) where next_check_at is not null;
-- Which payments need attention: nearly always few, found without reading the others.
create index payments_needing_attention on payments (environment_id, id) where attention is not null;
-- The dashboard's filters. Each index leads with what it finds and ends with the id, so that a list is read newest first
-- and can stop at any row; a payment enters all but the first only once, when it is settled.
-- Which payments have a status; those before the end share one.
create index payments_by_stage on payments (stage, environment_id, id);
-- Which settled payments used a method.
create index payments_settled_by_method on payments (method, environment_id, id) where stage <> 'open';
-- Which settled payments used a brand of card.
create index payments_settled_by_brand on payments (settled_brand, environment_id, id) where settled_brand is not null;
-- Which settled payments came from a country.
create index payments_settled_by_country on payments (settled_country, environment_id, id)
  where settled_country is not null;
-- Which settled payments were in a currency.
create index payments_settled_by_currency on payments (currency, environment_id, id) where stage <> 'open';
-- Which settled payments got a response code from the bank.
create index payments_settled_by_code on payments (settled_code, environment_id, id) where settled_code is not null;
-- Which settled payments were of an exact amount.
create index payments_settled_by_amount on payments (amount_minor, environment_id, id) where stage <> 'open';
-- Which settled payments were made with an e-mail address, whole or its beginning.
create index payments_settled_by_email on payments ((lower(email) collate "C"), environment_id, id)
  where stage <> 'open' and email is not null;

-- What a company switched on or off. Without a row a method is as the program's table says.
create table company_payment_methods (
  company_id text collate "C" not null references companies,
  method text not null,
  enabled boolean not null,
  changed_at timestamptz not null,
  primary key (company_id, method)
);

-- For one-tap payment. A method belongs to one player of one game in one environment, which is in every key.
create table saved_methods (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  player_id text collate "C" not null,
  gateway text not null,
  method text not null,
  -- Stands for the method at the provider. Never in a log, an answer or a page.
  token_sealed bytea not null,
  -- Whose account at the provider holds it, so that it is removed there. Null where the provider has none.
  account_id text collate "C",
  brand text not null,
  -- Empty, and the expiry zero, for what is no card.
  last4 text not null check (length(last4) in (0, 4)),
  expiry_month int not null,
  expiry_year int not null,
  -- Where the receipt of a one-tap payment goes.
  email text,
  created_at timestamptz not null,
  primary key (environment_id, id),
  -- Which methods a player saved; the same card saved again is the same entry with a newer token.
  unique nulls not distinct (player_id, environment_id, gateway, account_id, brand, last4, expiry_month, expiry_year)
);

-- A studio's own account at a payment provider. Keys are sealed; the dashboard shows their last four characters.
create table provider_accounts (
  company_id text collate "C" not null references companies,
  -- The provider's name of the account.
  account_id text collate "C" not null,
  provider text not null,
  -- What the company calls it. Null: its name at the provider.
  label text,
  -- Which payments it takes: those of these games, in these currencies. Null: of all.
  games text[],
  currencies text[],
  is_current boolean not null,
  -- Since when it takes no new payments. Its keys stay for those that it took, and are erased when none needs them.
  left_at timestamptz,
  is_test boolean not null,
  -- Null: erased.
  secret_key_sealed bytea,
  secret_key_last4 text not null,
  publishable_key text not null,
  callback_secret_sealed bytea,
  country text,
  default_currency text,
  display_name text,
  charges_enabled boolean not null,
  -- The last call that the provider refused because of the account or its keys; null after one went through.
  problem_code text,
  problem_at timestamptz,
  checked_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, account_id),
  constraint provider_accounts_left_is_not_current check (is_current = (left_at is null)),
  constraint provider_accounts_scope_names_something check (
    coalesce(cardinality(games), 1) > 0 and coalesce(cardinality(currencies), 1) > 0)
);

-- By which provider a company wants a method to be taken. Without a row the first that can take it does.
create table company_method_routes (
  company_id text collate "C" not null references companies,
  method text not null,
  provider text not null,
  changed_at timestamptz not null,
  primary key (company_id, method)
);

-- By which providers a company does not want a method to be taken, although they can.
create table company_method_refusals (
  company_id text collate "C" not null references companies,
  method text not null,
  provider text not null,
  changed_at timestamptz not null,
  primary key (company_id, method, provider)
);

-- What a company chose for all its routes. Without a row it fails over.
create table company_routing (
  company_id text collate "C" primary key references companies,
  -- New payments go to another connection that can take them, while the one they are routed to does not answer.
  fails_over boolean not null default true,
  -- Which provider or account takes which payments, by game, country, currency, method and amount; the first that matches decides.
  rules json not null default '[]',
  changed_at timestamptz not null
);

-- What the last test of a connection found. It is repeated every day.
create table provider_checks (
  company_id text collate "C" not null references companies,
  provider text not null,
  -- Whose keys were tested.
  account_id text collate "C" not null,
  checks json not null,
  -- Methods that the account cannot take, as its provider says: no player is offered them by it.
  unavailable_methods text[] not null default '{}',
  -- Null until the first test.
  checked_at timestamptz,
  -- Since when a check needs attention; null: none does.
  failing_since timestamptz,
  next_check_at timestamptz not null,
  primary key (company_id, provider, account_id)
);

-- Accounts whose provider does not answer. The first answer deletes the row.
create table provider_silences (
  provider text not null,
  account_id text collate "C" not null,
  since timestamptz not null,
  primary key (provider, account_id)
);

-- What we know of our payments at the provider. Written before the provider is asked, so that a worker can look for an
-- attempt that got no answer.
create table provider_charges (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  provider text not null,
  -- Whose account took it; 'settings' for keys that came with the program's settings.
  account_id text collate "C" not null,
  customer_id text,
  -- Null until the provider's answer is known.
  intent_id text collate "C",
  -- 'never': we asked about it before the provider knew it, and do not send it since.
  status text not null check (status in ('asked', 'never', 'known')),
  amount_minor bigint not null,
  currency text not null,
  is_captured boolean not null default false,
  -- The refund that is under way; null when it arrived or the bank could not do it.
  refund_id text,
  -- How many refunds the provider refused. It stores the error under the key, so the next one is asked under the next key.
  refund_generation int not null default 0,
  -- The provider's names of the reservation, the capture and the newest refund, where it has such beside the charge's own.
  hold_id text collate "C",
  capture_id text collate "C",
  last_refund_id text,
  -- Given up or refused before money moved. What the provider lets happen after that is released at once.
  ended text check (ended in ('declined', 'voided', 'never')),
  -- How many errors the provider answered, each of which it may repeat under the key of that call.
  generation int not null default 0,
  has_dispute boolean not null default false,
  -- A bank told the provider of fraud; what it says now is asked for with the charge.
  has_warning boolean not null default false,
  -- What the provider or a bank suspects, for people: `{ kind, reason }`.
  warning json,
  -- What the provider thinks of the payer, for people: `{ level, score, checks }`.
  risk json,
  -- The last call that the provider refused, for people: whose fault, code, parameter and request id.
  refusal json,
  evidence_due_at timestamptz,
  fee_minor bigint,
  fee_currency text,
  is_fee_posted boolean not null default false,
  next_action json,
  client_secret_sealed bytea,
  -- When a player's page last had the provider asked: it may do so again after seconds, in every process together.
  looked_up_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, payment_id)
) with (fillfactor = 80);
-- Which payment a provider's callback or list is about.
create unique index provider_charges_by_intent on provider_charges (intent_id) where intent_id is not null;
-- Whose payment a dispute or a refund at the provider is about: those name the capture alone.
create unique index provider_charges_by_capture on provider_charges (capture_id) where capture_id is not null;
-- Which fees the ledger does not have yet.
create index provider_charges_fee_due on provider_charges (updated_at)
  where fee_minor is not null and not is_fee_posted;

-- One customer at the provider for each player of a game: methods are saved there and no other game sees them.
create table provider_customers (
  environment_id text collate "C" not null,
  player_id text collate "C" not null,
  account_id text collate "C" not null,
  -- Null: deleted at the provider, or not made. The next one is made under the next idempotency key.
  customer_id text,
  -- How many were deleted, or refused with an error that the provider stores under the key.
  generation int not null default 0,
  created_at timestamptz not null,
  primary key (environment_id, player_id, account_id)
);

-- Every callback once, by the provider's name of it.
create table provider_events (
  account_id text collate "C" not null,
  event_id text collate "C" not null,
  -- Null for the account that came with the program's settings.
  company_id text collate "C",
  type text not null,
  intent_id text,
  environment_id text collate "C",
  payment_id text collate "C",
  outcome text not null check (outcome in ('queued', 'ignored')),
  received_at timestamptz not null,
  primary key (account_id, event_id)
);
-- Which callbacks are old enough to be deleted.
create index provider_events_by_age on provider_events (received_at);

-- One act on many orders, which goes on when the page is closed.
create table bulk_runs (
  environment_id text collate "C" not null references environments,
  id text collate "C" not null,
  company_id text collate "C" not null,
  action text not null check (action in ('retry', 'release', 'refund')),
  reason text not null,
  status text not null check (status in ('running', 'stopping', 'done', 'stopped')),
  total int not null,
  -- The member who began it: each order's entry in the log names them.
  user_id text collate "C" not null,
  actor text not null,
  ip text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (environment_id, id)
);
-- Whether a run is under way in an environment: one at most.
create unique index bulk_runs_one on bulk_runs (environment_id) where finished_at is null;

create table bulk_orders (
  environment_id text collate "C" not null,
  bulk_id text collate "C" not null,
  order_id text collate "C" not null,
  position int not null,
  -- Null until something was done about it.
  outcome text check (outcome in ('done', 'refused')),
  code text,
  detail text,
  primary key (environment_id, bulk_id, order_id)
);
-- Which orders of a run are left, and which were refused, in their order.
create index bulk_orders_by_outcome on bulk_orders (environment_id, bulk_id, outcome, position);

-- Filters and columns of a list that a member kept under a name, for themselves or for all members.
create table saved_views (
  environment_id text collate "C" not null references environments,
  user_id text collate "C" not null references users on delete cascade,
  id text collate "C" not null,
  list text not null check (list in ('orders', 'transactions', 'players')),
  name text not null,
  filters text not null,
  -- The columns that are shown, separated by commas; null as each member has chosen them.
  columns text,
  is_shared boolean not null,
  created_at timestamptz not null,
  primary key (environment_id, id),
  -- Saving under the same name again replaces it.
  unique (environment_id, user_id, list, name)
);

-- Which views stand as tabs above a member's list: their own, and those that others share.
create table saved_view_pins (
  environment_id text collate "C" not null,
  user_id text collate "C" not null references users on delete cascade,
  view_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (environment_id, user_id, view_id),
  foreign key (environment_id, view_id) references saved_views on delete cascade
);
-- Which pins go with a view that is deleted.
create index saved_view_pins_by_view on saved_view_pins (environment_id, view_id);

-- Which columns of a list a member chose, in every game and on every machine.
create table list_columns (
  user_id text collate "C" not null references users on delete cascade,
  list text not null check (list in ('orders', 'transactions', 'players')),
  -- The columns that are shown, separated by commas.
  columns text not null,
  primary key (user_id, list)
);

-- Which columns a member chose while a view was open, in place of the view's own.
create table saved_view_columns (
  environment_id text collate "C" not null,
  user_id text collate "C" not null references users on delete cascade,
  view_id text collate "C" not null,
  columns text not null,
  primary key (environment_id, user_id, view_id),
  foreign key (environment_id, view_id) references saved_views on delete cascade
);
-- Which choices go with a view that is deleted.
create index saved_view_columns_by_view on saved_view_columns (environment_id, view_id);

-- Who works on what needs attention, and until when it is snoozed. It belongs to a company, as its differences and its
-- providers concern all of its games.
create table attention_marks (
  company_id text collate "C" not null references companies,
  -- A payment, a difference or the name of a provider.
  subject_id text collate "C" not null,
  -- Why it needed attention then: for another reason the mark no longer holds.
  cause text not null,
  assignee_id text collate "C" references users on delete set null,
  snoozed_until timestamptz,
  note text,
  -- The e-mail address of the member who snoozed it.
  snoozed_by text,
  updated_at timestamptz not null,
  primary key (company_id, subject_id),
  check (snoozed_until is null or (note is not null and snoozed_by is not null))
);

-- What a bank says about a payment, and what the studio answers: one row for each dispute, of which a payment can have
-- several. Few payments have one, so it is not in their table.
create table disputes (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  -- The provider's own name of it.
  id text collate "C" not null,
  status text not null check (status in ('inquiry', 'open', 'won', 'lost', 'prevented', 'unclear')),
  reason text not null,
  -- What the bank questions, which may be a part of the payment, and what the provider took for it.
  amount_minor bigint not null,
  currency text not null,
  fee_minor bigint,
  fee_currency text,
  network_code text,
  evidence_due_at timestamptz,
  -- Whether the provider still hears the studio's side.
  evidence_stage text not null check (evidence_stage in ('needed', 'submitted', 'closed')),
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- One more with each change of what the provider says.
  version int not null default 1,
  -- Whether the ledger has it as it is.
  is_posted boolean not null default false,
  -- What was last saved or sent: `{ product, delivery, receipt, history, statement, email }`.
  evidence json,
  -- 'sending', 'accepting': a job asks the provider until it says yes or no.
  evidence_status text not null default 'none'
    check (evidence_status in ('none', 'draft', 'sending', 'taken', 'refused', 'accepting', 'accepted')),
  evidence_by text,
  evidence_at timestamptz,
  -- When the provider said yes or no, and what it said no with.
  settled_at timestamptz,
  refusal json,
  primary key (environment_id, payment_id, id)
);
-- Which disputes the ledger does not have yet.
create index disputes_to_post on disputes (updated_at) where not is_posted;

-- Files that go to the bank with the texts. They stay until the player is erased.
create table dispute_files (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null check (kind in ('receipt', 'delivery', 'communication', 'other')),
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  size_bytes int not null,
  content bytea not null,
  added_by text not null,
  added_at timestamptz not null,
  primary key (environment_id, payment_id, dispute_id, id)
);
-- Compressed already.
alter table dispute_files alter column content set storage external;

-- simulator -------------------------------------------------------------------------------------

-- The sandbox payment provider, which LIVE_GATEWAY=simulator also puts in place of a live one. It stands for a company
-- elsewhere, so it shares no table, key or transaction with the shop: only then can "charged but not recorded" happen.
create schema simulator;

create table simulator.charges (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  -- 'never': the shop asked about a charge that had not come; one that comes later is refused.
  status text not null check (status in ('requires_action', 'processing', 'authorized', 'captured', 'declined', 'voided',
                                         'refunded', 'never')),
  order_id text collate "C",
  amount_minor bigint not null check (amount_minor >= 0),
  currency text,
  -- What the card does, never what its number is.
  behavior text not null check (behavior in ('approve', 'decline', 'challenge', 'dispute_lost', 'dispute_won',
                                             'dispute_evidence', 'inquiry', 'dispute_unclear', 'refund_fails')),
  method text not null default 'card',
  brand text,
  last4 text check (length(last4) = 4),
  country text,
  expiry_month int,
  expiry_year int,
  response_code text,
  response_description text,
  challenge_url text,
  -- When the money of a slow method comes.
  due_at timestamptz,
  created_at timestamptz not null,
  captured_at timestamptz,
  refunded_at timestamptz,
  refund_failed_at timestamptz,
  -- The studio's side of a dispute, and when the bank got it.
  evidence json,
  evidence_at timestamptz,
  -- When the studio gave the money up.
  accepted_at timestamptz,
  primary key (environment_id, payment_id)
) with (fillfactor = 80);

-- Every movement of money, each kind once for a charge: tests compare the shop's own record with it.
create table simulator.entries (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  kind text not null check (kind in ('authorized', 'captured', 'voided', 'refunded', 'refund_failed', 'disputed', 'dispute_won',
                                     'charged_back')),
  amount_minor bigint not null,
  currency text not null,
  created_at timestamptz not null,
  primary key (environment_id, payment_id, kind)
);

create table simulator.saved_methods (
  environment_id text collate "C" not null,
  token text collate "C" not null,
  payment_id text collate "C" not null,
  player_id text collate "C" not null,
  behavior text not null,
  brand text not null,
  last4 text not null,
  country text not null,
  expiry_month int not null,
  expiry_year int not null,
  created_at timestamptz not null,
  primary key (environment_id, token),
  -- Whether the method of a payment is saved already: saving twice answers the same token.
  unique (environment_id, payment_id)
);

-- Triggers write the entries, so no statement can move a charge and forget the entry. They run once for all rows of a
-- statement, because charges come many to a statement.
create function simulator.enter_new() returns trigger language plpgsql as $$
begin
  insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
  select environment_id, payment_id, status, amount_minor, currency, app_now() from made where status = 'authorized';
  return null;
end $$;

-- A challenge that the player abandons had reserved nothing, so voiding it moves no money.
create function simulator.enter_moved() returns trigger language plpgsql as $$
begin
  insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
  select m.environment_id, m.payment_id, m.status, m.amount_minor, m.currency, app_now()
  from moved m join before b on b.environment_id = m.environment_id and b.payment_id = m.payment_id
  where m.status <> b.status and b.status <> 'refunded'
    and (m.status in ('authorized', 'captured', 'refunded') or (m.status = 'voided' and b.status = 'authorized'));
  return null;
end $$;

create trigger charge_began after insert on simulator.charges referencing new table as made
  for each statement execute function simulator.enter_new();
create trigger charge_moved after update on simulator.charges referencing old table as before new table as moved
  for each statement execute function simulator.enter_moved();

-- webhook ---------------------------------------------------------------------------------------

create table webhook_subscriptions (
  environment_id text collate "C" not null references environments,
  id text collate "C" not null,
  url text not null,
  description text not null,
  events text[] not null,
  -- Derived from events by the program: holds item.add and item.remove.
  takes_items boolean not null,
  enabled boolean not null,
  -- How often a member enabled it: a 410 of an attempt from before the last time disables nothing.
  enable_count integer not null default 1,
  enabled_logs boolean not null,
  player_context_enabled boolean not null,
  -- Null: signs with the environment's S2S key.
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  -- Why the program disabled it; null when a member did.
  disabled_reason text check (disabled_reason = 'endpoint_gone'),
  -- A listener is a subscription that lives as long as the connection of a developer's computer. The process that holds
  -- the connection keeps moving the time ahead; a worker deletes what it finds in the past. Null: an ordinary one.
  listening_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
-- Whether an environment has an endpoint for items: one at most, and a listener stands before it without replacing it.
create unique index webhook_one_item_endpoint on webhook_subscriptions (environment_id)
  where enabled and takes_items and listening_until is null;
-- Which listeners have lost their connection.
create index webhook_listeners on webhook_subscriptions (listening_until) where listening_until is not null;

create table events (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  seq bigint not null default nextval('events_seq'),
  type text not null,
  order_id text collate "C",
  data json not null,
  -- A subscription takes this kind and the deliveries are not made yet.
  fan_out boolean not null,
  -- Triggered by a developer: nothing happened.
  test boolean not null default false,
  created_at timestamptz not null,
  primary key (environment_id, id)
) partition by range (id);
create table events_rest partition of events default;
-- What happened to an order; without the number, all events of an order share one index tuple.
create index events_by_order on events (order_id, environment_id);
-- Which events of an environment have no deliveries yet.
create index events_to_fan_out on events (environment_id, seq) where fan_out;
-- Which events came after a position, for figures, ledger, live updates and the feed. Creations are read from the orders, and
-- only one that a developer triggered has no order.
create index events_by_seq on events (seq) where type <> 'order.created' or test;
insert into time_partitions (kind, parent, prefix) values ('events', 'events', 'evt');

-- The environments that have events without deliveries, found by one step in the index for each.
create view waiting_events as
with recursive found (environment_id) as (
  (select environment_id from events where fan_out order by environment_id limit 1)
  union all
  select next.environment_id from found cross join lateral (
    select e.environment_id from events e where e.fan_out and e.environment_id > found.environment_id
    order by e.environment_id limit 1) next
)
select environment_id from found;

-- Items are few and kept for ever; what observers got is cut by time.
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
  -- The bytes, kept only where they cannot be made again from the event: with facts of the player, which change.
  body text,
  attempts_made int not null default 0,
  -- Of these, before their time: to see whether an endpoint is back, or because it is. They use up no step of the retries.
  early_attempts int not null default 0,
  -- When it is due, while pending.
  next_attempt_at timestamptz,
  -- When it would have been due, where it was brought forward.
  regular_at timestamptz,
  -- It was brought forward because the endpoint was back, which happens once between two regular attempts.
  was_released boolean not null default false,
  claim_id text,
  -- The sender has it until then. In no index, so that a claim is written into the same page and touches nothing else.
  claimed_until timestamptz,
  give_up_at timestamptz,
  -- Sandbox time that was skipped and that the pauses before the next attempts still use up.
  skip_seconds float8 not null default 0,
  last_status int,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (environment_id, id, lane),
  check ((status = 'pending') = (next_attempt_at is not null))
) partition by list (lane);
create table deliveries_items partition of deliveries for values in ('items') with (fillfactor = 85);
create table deliveries_observer partition of deliveries for values in ('observer') partition by range (id);
create table deliveries_observer_rest partition of deliveries_observer default with (fillfactor = 50);
insert into time_partitions (kind, parent, prefix) values ('deliveries', 'deliveries_observer', 'dlv');
-- Which items are due, by environment, since all items of one go to one endpoint; also those that were paid for before it
-- was registered.
create index deliveries_items_due on deliveries_items (environment_id, next_attempt_at) where status = 'pending';
-- What is due for an observer, so that a worker never reads past what waits for an endpoint that is busy.
create index deliveries_observer_due on deliveries_observer (subscription_id, next_attempt_at) where status = 'pending';
-- Which deliveries a subscription got, newest first.
create index deliveries_by_subscription on deliveries (subscription_id, environment_id, id);
-- Which item deliveries an order has; it has one grant and one removal, however often they are asked for.
create unique index deliveries_item_once on deliveries_items (order_id, environment_id, event_type);
-- Which observer deliveries an order has; without the id, equal entries share one index tuple.
create index deliveries_observer_by_order on deliveries_observer (order_id, environment_id);
-- Whether one waits behind another of its order, which is asked after each delivery and seldom so.
create index deliveries_observer_blocked on deliveries_observer (order_id, environment_id) where status = 'blocked';
-- Which deliveries wait for an endpoint, to send them when it comes.
create index deliveries_held on deliveries (environment_id, lane, id) where status = 'held';
-- Which held grants have waited too long.
create index deliveries_to_give_up on deliveries_items (give_up_at) where status = 'held';
-- Which deliveries of an environment did not go well, newest first: few do not.
create index deliveries_with_problems on deliveries (status, environment_id, id)
  where status in ('blocked', 'held', 'declined', 'exhausted', 'canceled');
-- Which removals the game has not accepted yet.
create index deliveries_open_removals on deliveries_items (environment_id, id)
  where event_type = 'item.remove' and status in ('pending', 'blocked', 'held');

-- In the partition of their delivery's month.
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
) partition by range (delivery_id);
create table delivery_attempts_rest partition of delivery_attempts default;
-- Which attempts were made in a span of time, for figures and live updates.
create index delivery_attempts_by_time on delivery_attempts (started_at);
insert into time_partitions (kind, parent, prefix) values ('attempts', 'delivery_attempts', 'dlv');

-- An endpoint that failed and has not caught up since. Without a row it is well. Named as claims name endpoints: the
-- environment for its items, the subscription for an observer.
create table endpoint_health (
  endpoint text collate "C" primary key,
  environment_id text collate "C" not null references environments,
  lane text not null check (lane in ('items', 'observer')),
  -- Suspect: some have failed, which may be their own matter. Down: several in a row have, with no answer between.
  state text not null check (state in ('suspect', 'down', 'back')),
  first_failed text collate "C" not null,
  failing_since timestamptz not null,
  -- When it is tried next, should nothing be due by itself.
  next_probe_at timestamptz not null,
  -- When it answered again.
  back_at timestamptz,
  -- What waited for it has been brought forward.
  is_released boolean not null default false,
  -- How many requests it may have at once, and how many it has answered since that number changed.
  slots int not null,
  answered int not null default 0,
  -- Attempts that failed in a row.
  failures int not null default 0,
  check ((state = 'back') = (back_at is not null))
);
-- Which observers' rows go with their environment.
create index endpoint_health_by_environment on endpoint_health (environment_id);

-- The environments for which items are pending, found by one step in the index for each.
create view waiting_items as
with recursive found (endpoint) as (
  (select environment_id from deliveries where lane = 'items' and status = 'pending' order by environment_id limit 1)
  union all
  select next.environment_id from found cross join lateral (
    select d.environment_id from deliveries d
    where d.lane = 'items' and d.status = 'pending' and d.environment_id > found.endpoint
    order by d.environment_id limit 1) next
)
select endpoint from found;

-- The observers for which something is pending, in the same way.
create view waiting_observers as
with recursive found (endpoint) as (
  (select subscription_id from deliveries where lane = 'observer' and status = 'pending' order by subscription_id limit 1)
  union all
  select next.subscription_id from found cross join lateral (
    select d.subscription_id from deliveries d
    where d.lane = 'observer' and d.status = 'pending' and d.subscription_id > found.endpoint
    order by d.subscription_id limit 1) next
)
select endpoint from found;

-- One attempt on its way through a connection that another process holds. Gone after seconds, so it need not survive a
-- crash: the delivery it belongs to does, and is tried again.
create unlogged table listen_requests (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  subscription_id text collate "C" not null,
  request json not null,
  taken boolean not null default false,
  answer json,
  created_at timestamptz not null,
  primary key (environment_id, id)
);
-- Which requests the process that holds a connection must send.
create index listen_requests_to_take on listen_requests (subscription_id) where not taken;
-- Which requests were left behind and can be deleted.
create index listen_requests_by_age on listen_requests (created_at);

-- An exam of a receiver. A worker takes it up and writes down each result, so that it goes on without a browser and after
-- a crash. The newest 20 of an environment are kept.
create table webhook_exams (
  environment_id text collate "C" not null references environments,
  id text collate "C" not null,
  company_id text collate "C" not null references companies,
  url text not null,
  -- Null: the address is not registered, and the environment's S2S key signs.
  webhook_id text collate "C",
  inventory_url text,
  language text not null,
  results jsonb not null,
  tries integer not null default 0,
  claim_id text,
  claimed_until timestamptz,
  -- Why it could not be taken.
  problem text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (environment_id, id)
);
-- Whether a company has an exam under way, of which there is one at most; and which exams a worker must take up.
create unique index webhook_exam_under_way on webhook_exams (company_id) where finished_at is null;

-- ledger ----------------------------------------------------------------------------------------

-- Where the money of live payments is, in double entry: what leaves one account enters another. Rolled up from events, so
-- that no order waits for it. Entries are written and never changed.
create table ledger_entries (
  environment_id text collate "C" not null,
  -- The event that tells of it, or a name made from the payment: each is posted once.
  posting_id text collate "C" not null,
  -- player: outside. reserved: held by the bank. balance: ours at the provider. fees: the provider's. disputed: in question.
  account text not null check (account in ('player', 'reserved', 'balance', 'fees', 'disputed')),
  payment_id text collate "C" not null,
  kind text not null check (kind in ('authorized', 'released', 'captured', 'fee', 'refunded', 'refund_failed', 'disputed',
                                     'dispute_won', 'charged_back', 'dispute_fee')),
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (environment_id, posting_id, account)
);
-- Which entries a payment has.
create index ledger_by_payment on ledger_entries (payment_id, environment_id);
-- What moved on the balance in a span of time, for the daily comparison.
create index ledger_by_time on ledger_entries (occurred_at) where account = 'balance';

create function ledger_check() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ledger_entries
             where environment_id = new.environment_id and posting_id = new.posting_id
             group by currency having sum(amount_minor) <> 0) then
    raise exception 'the posting % does not sum to zero', new.posting_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger ledger_sums_to_zero after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_check();

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed' using errcode = '23514';
end $$;
create trigger ledger_is_append_only before update or delete on ledger_entries
  for each statement execute function ledger_refuse();

-- reconciliation --------------------------------------------------------------------------------

create table reconciliation_runs (
  account_id text collate "C" not null,
  day date not null,
  -- Null: of the account that came with the program's settings.
  company_id text collate "C",
  state text not null check (state in ('running', 'done', 'failed')),
  payments int not null default 0,
  refunds int not null default 0,
  disputes int not null default 0,
  foreign_payments int not null default 0,
  differences int not null default 0,
  problem text,
  -- Which process compares, and when it last said so; another may take over from one that is silent.
  claim_id text not null,
  alive_at timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, day)
);
-- Which days of a company were compared, newest first.
create index reconciliation_runs_by_company on reconciliation_runs (company_id, day);

create table reconciliation_differences (
  company_id text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  day date not null,
  kind text not null,
  -- What it is about: the payment, or the provider's name of what we do not have.
  subject text collate "C" not null,
  state text not null check (state in ('open', 'corrected', 'resolved')),
  ours text,
  theirs text,
  provider_id text,
  environment_id text collate "C",
  payment_id text collate "C",
  order_id text collate "C",
  note text,
  resolved_by text,
  resolved_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, id)
);
-- Whether a difference is known already: comparing a day again adds none, but what was resolved can differ again.
create unique index reconciliation_differences_known on reconciliation_differences (account_id, kind, subject)
  where state <> 'resolved';
-- Whether a difference was resolved before, with the same on both sides.
create index reconciliation_differences_resolved on reconciliation_differences (account_id, kind, subject)
  where state = 'resolved';
-- Which differences a studio member must still resolve, newest first.
create index reconciliation_differences_open on reconciliation_differences (company_id, id) where state = 'open';

-- What the provider booked on its balance, from the daily comparison: payments, refunds, fees, conversions and payouts.
create table balance_entries (
  account_id text collate "C" not null,
  -- The provider's name of it.
  entry_id text collate "C" not null,
  -- Whose order it belongs to, else whose account it is; null: of no order, at the account of the program's settings.
  company_id text collate "C",
  day date not null,
  kind text not null check (kind in ('payment', 'refund', 'dispute', 'fee', 'conversion', 'payout', 'other')),
  -- The provider's word for it.
  type text not null,
  -- Before the fee; negative: it went out.
  gross_minor bigint not null,
  fee_minor bigint not null,
  currency text not null,
  -- What the player paid, where the provider converted it.
  original_minor bigint,
  original_currency text,
  environment_id text collate "C",
  payment_id text collate "C",
  order_id text collate "C",
  -- Into which payout it went, where the provider says so; of a payout its own name.
  payout_id text collate "C",
  occurred_at timestamptz not null,
  primary key (account_id, entry_id)
);
-- What was booked on a day, for its page and its file.
create index balance_entries_by_day on balance_entries (day, account_id);
-- What was booked for a payment, to compare it with the ledger.
create index balance_entries_by_payment on balance_entries (payment_id) where payment_id is not null;
-- What a payout is made of.
create index balance_entries_by_payout on balance_entries (account_id, payout_id) where payout_id is not null;

-- notification ----------------------------------------------------------------------------------

-- How many mails to strangers a sender caused today, so that no account is a mail relay.
create table mail_quotas (
  day date not null,
  sender text collate "C" not null,
  sent int not null,
  -- The day first, as whole days are deleted.
  primary key (day, sender)
) with (fillfactor = 70);

-- Every mail is a row before it is sent, so that nothing is lost when there is no mail server or it is down.
create table mails (
  id text collate "C" primary key,
  environment_id text collate "C",
  kind text not null,
  -- What the mail is about, such as 'receipt pay_…': made once, however often it is asked for.
  about text not null,
  recipient text not null,
  subject text not null,
  -- What the mail says; how it looks is made when it is sent or read. Null for a receipt, which is made again from its
  -- payment wherever it is needed, and once a mail with a sign-in link is sent.
  content json,
  sender_name text,
  reply_to text,
  -- kept: there was no mail server; it stays until an operator sends it. failed: given up.
  status text not null check (status in ('queued', 'sent', 'kept', 'failed')),
  tries int not null default 0,
  -- A worker is sending it; after this time another may.
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- Whether the mail exists already, and which mails are about a payment.
  unique nulls not distinct (environment_id, about, recipient),
  check ((status = 'sent') = (sent_at is not null))
);
-- Which mails wait for an operator.
create index mails_not_sent on mails (status, id) where status <> 'sent';

-- figures ---------------------------------------------------------------------------------------

-- What happened in each hour (UTC), rolled up from events and orders.
create table figures_hourly (
  environment_id text collate "C" not null,
  measure text not null check (measure in ('orders', 'opened', 'started', 'paid', 'returned', 'declined',
    -- Of orders opened in this hour: paid since. Of orders paid in this hour: returned or disputed since.
    'converted', 'paid_back', 'disputed')),
  hour timestamptz not null,
  -- The currency of money, the response code of a decline, else empty.
  key text not null,
  count bigint not null check (count > 0),
  amount_minor bigint not null,
  primary key (environment_id, measure, hour, key)
) with (fillfactor = 70);

-- The same in days of UTC, by what a question is asked about: enough for a year of any shop in a few thousand rows.
create table figures_daily (
  environment_id text collate "C" not null,
  measure text not null check (measure in (
    -- Of pages opened on this day: by country and device, and which were paid since.
    'opened_country', 'opened_device', 'converted_country', 'converted_device',
    -- Of payments begun on this day: by method, which of them were reserved, and which were declined, by method and code.
    'started_method', 'authorized_method', 'declined_method', 'declined_code',
    -- Orders paid on this day: by item, country, hour of UTC and method, and whether the buyer had bought before.
    'paid_item', 'paid_country', 'paid_hour', 'paid_method', 'paid_first', 'paid_repeat',
    -- Of orders paid on this day: all, returned since, disputed since.
    'paid', 'paid_back', 'disputed',
    -- Orders paid on this day, by the step of the time from the reservation to the grant: see GRANT_STEPS_MS.
    'grant',
    -- Buyers of the month that begins on this day, by the month in which they bought first.
    'cohort')),
  day date not null,
  -- Empty where nothing is counted in money.
  currency text collate "C" not null,
  key text collate "C" not null,
  count bigint not null check (count > 0),
  amount_minor bigint not null,
  -- With what is added up, so that a year is read from the index alone.
  primary key (environment_id, measure, day, currency, key) include (count, amount_minor)
);

-- In which months a player bought, so that each buyer counts once in a month.
create table buyer_months (
  environment_id text collate "C" not null,
  player_id text collate "C" not null,
  month date not null,
  -- The month of the player's first purchase.
  first_month date not null,
  primary key (environment_id, player_id, month)
);
-- Who bought first in a month, and again in another.
create index buyer_months_by_first on buyer_months (environment_id, first_month, month, player_id);

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

-- search ----------------------------------------------------------------------------------------

-- What the search box finds, written behind the orders and payments so that these have no index for it. Orders by the sku of an
-- item and payments by the last four digits: very many share a term, so those of about a second share a row.
create table search_postings (
  environment_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('sku', 'last4')),
  -- In small letters.
  term text collate "C" not null,
  -- How each of the ids begins. Rows with a later one have later ids only, so a search reads as many as it needs.
  bucket text collate "C" not null,
  -- Which round of its reader wrote the row.
  batch bigint not null,
  -- The orders or the payments.
  ids text[] collate "C" not null,
  count int not null check (count > 0),
  primary key (environment_id, kind, term, bucket, batch)
);

-- Players by name and e-mail address.
create table search_entries (
  environment_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('name', 'email')),
  -- In small letters. Of a name also what begins at each of its words.
  term text collate "C" not null,
  -- The player.
  id text collate "C" not null,
  primary key (environment_id, kind, term, id)
);
-- Which entries lead to a player: they go when the player is erased.
create index search_entries_of_player on search_entries (id, environment_id);

-- What each player bought and kept, added up from events.
create table player_figures (
  environment_id text collate "C" not null,
  player_id text collate "C" not null,
  orders bigint not null,
  last_paid_at timestamptz not null,
  primary key (environment_id, player_id)
) with (fillfactor = 70);
-- Which players bought most often.
create index player_figures_by_orders on player_figures (environment_id, orders, player_id);
-- Which players bought last.
create index player_figures_by_time on player_figures (environment_id, last_paid_at, player_id);

create table player_spend (
  environment_id text collate "C" not null,
  player_id text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  primary key (environment_id, player_id, currency)
) with (fillfactor = 70);
-- Which players spent most in a currency.
create index player_spend_by_amount on player_spend (environment_id, currency, amount_minor, player_id);

-- readers ---------------------------------------------------------------------------------------

-- How far each reader of a numbered table has come. Moved in the transaction of what the reader writes, so that every row
-- counts exactly once.
create table reader_positions (
  name text primary key check (name in ('figures', 'players', 'orders', 'ledger', 'attempts', 'audit')),
  seq bigint not null default 0,
  -- Read next up to here, once the transactions have ended that had written to the table when this was noted.
  next_seq bigint,
  -- Their virtual transaction ids. Those of another server or of a time before a restart name nothing that is still open.
  waits_for text[] not null default '{}',
  -- For attempts, which are read by time.
  until_time timestamptz
);
insert into reader_positions (name) values ('figures'), ('players'), ('orders'), ('ledger'), ('attempts'), ('audit');

-- jobs ------------------------------------------------------------------------------------------

create table jobs (
  id text collate "C" primary key,
  environment_id text collate "C",
  name text not null,
  payload json not null,
  run_at timestamptz not null,
  tries int not null default 0,
  claim_id text,
  -- While a worker runs it; renewed for as long as it does.
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null
) with (fillfactor = 80);
-- Which jobs are due.
create index jobs_due on jobs (run_at);

-- heartbeats ------------------------------------------------------------------------------------

-- Readiness writes here, because a full disk still answers questions; workers say that they are at work, and a backup when it was made.
create table heartbeats (
  kind text primary key check (kind in ('readiness', 'worker', 'backup')),
  beat_at timestamptz not null
);

-- rate_counts -----------------------------------------------------------------------------------

-- What all processes counted of a key or an address in its window, by digest. Nothing here outlives a crash or a minute.
create unlogged table rate_counts (
  name text not null,
  key_digest bytea not null,
  used int not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (name, key_digest)
);

-- open_streams ----------------------------------------------------------------------------------

-- How many pages of a company's dashboard wait for changes at each process, as it said less than a minute ago.
create unlogged table open_streams (
  company_id text not null,
  process_id text not null,
  open int not null,
  seen_at timestamptz not null,
  primary key (company_id, process_id)
);

-- master_keys -----------------------------------------------------------------------------------

-- Which master keys sealed what is in this database. No key is here, only what tells the right one from a wrong one.
create table master_keys (
  key_id bytea primary key,
  state text not null check (state in ('current', 'next', 'previous', 'retired')),
  -- A known text under the key itself.
  check_sealed bytea not null,
  -- Proves checkout URLs and recovery codes that were made under this key; of a retired key it is under the current one.
  mac_root_sealed bytea not null,
  -- While one key follows another: the other one, so that a process with either knows both.
  other_sealed bytea,
  created_at timestamptz not null
);
-- One key seals what is new.
create unique index master_keys_current on master_keys (state) where state = 'current';

-- partitions ------------------------------------------------------------------------------------

-- Mails are few; they are deleted by age, and what is gone is noted in the same place.
insert into time_partitions (kind, parent, prefix) values ('mails', 'mails', 'mail');

-- This month and the next; a worker makes the following ones.
do $$
begin
  perform make_partition(parent, prefix, date_trunc('month', now(), 'utc') + n * interval '1 month')
  from time_partitions, generate_series(0, 1) n where kind in ('events', 'deliveries', 'attempts');
end $$;
