-- What a company switched. Without a row a method is as the program's table says.
create table company_payment_methods (
  company_id text collate "C" not null references companies,
  method text not null,
  enabled boolean not null,
  changed_at timestamptz not null,
  primary key (company_id, method)
);

-- The player has done everything and the money comes by itself, in minutes or days: how to pay, and until when.
alter table payments add column awaited json;

-- For one-tap payment. A player of one game in one environment, and nobody else: the environment is in every key.
create table saved_methods (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  player_id text collate "C" not null,
  gateway text not null,
  method text not null,
  -- Stands for the method at the provider. Never in a log, an answer or a page.
  token_sealed bytea not null,
  brand text not null,
  last4 text not null check (length(last4) = 4),
  expiry_month int not null,
  expiry_year int not null,
  -- Where the receipt of a one-tap payment goes.
  email text,
  created_at timestamptz not null,
  primary key (environment_id, id),
  -- The same card saved again is the same entry with a newer token.
  unique (player_id, environment_id, gateway, brand, last4, expiry_month, expiry_year)
);

-- The simulator stands in for live too (LIVE_GATEWAY=simulator): methods other than cards, and money that takes its time.
alter table simulator.charges
  add column method text not null default 'card',
  add column due_at timestamptz,
  drop constraint charges_status_check,
  add constraint charges_status_check
    check (status in ('requires_action', 'processing', 'authorized', 'captured', 'declined', 'voided', 'refunded', 'never'));
