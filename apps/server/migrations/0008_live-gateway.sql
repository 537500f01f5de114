-- A studio's own account at a payment provider. Keys are sealed; what is shown of them is their last four characters.
create table provider_accounts (
  company_id text collate "C" not null references companies,
  -- The provider's name of the account.
  account_id text collate "C" not null,
  provider text not null check (provider = 'stripe'),
  -- An older account stays for the payments that it took, until its keys are erased.
  is_current boolean not null,
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
  -- The last call that the provider refused because of the account or its keys, and when one last went through.
  problem_code text,
  problem_at timestamptz,
  checked_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, account_id)
);
create unique index provider_accounts_one_current on provider_accounts (company_id) where is_current;

-- What we know of our payments at the provider. Written before the provider is asked, so that an attempt of which nothing
-- came back can be looked for.
create table provider_charges (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  provider text not null check (provider = 'stripe'),
  -- Whose account took it; 'environment' for keys that came with the program's settings.
  account_id text collate "C" not null,
  customer_id text,
  -- Null until the provider's answer is known.
  intent_id text collate "C",
  -- 'never': asked about before the provider had heard of it, and kept from it since.
  status text not null check (status in ('asked', 'never', 'known')),
  amount_minor bigint not null,
  currency text not null,
  is_captured boolean not null default false,
  -- The refund that was asked for last; null again when the bank could not do it.
  refund_id text,
  has_dispute boolean not null default false,
  evidence_due_at timestamptz,
  fee_minor bigint,
  fee_currency text,
  is_fee_posted boolean not null default false,
  next_action json,
  client_secret_sealed bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, payment_id)
) with (fillfactor = 80);
create unique index provider_charges_by_intent on provider_charges (intent_id) where intent_id is not null;

-- One customer at the provider for each player of a game: methods are kept there and never seen by another game.
create table provider_customers (
  environment_id text collate "C" not null,
  player_id text collate "C" not null,
  account_id text collate "C" not null,
  -- Null: somebody deleted it at the provider. The next one is made under a new idempotency key.
  customer_id text,
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
create index provider_events_by_age on provider_events (received_at);
