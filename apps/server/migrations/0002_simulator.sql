-- The sandbox payment provider. It stands for a company elsewhere, so it shares no table, key or transaction with the shop:
-- only then can "charged but not recorded" really happen.
create schema simulator;

create table simulator.charges (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  -- 'never': the shop asked about a charge that had not come; one that comes later is refused.
  status text not null check (status in ('requires_action', 'authorized', 'captured', 'declined', 'voided', 'refunded', 'never')),
  order_id text collate "C",
  amount_minor bigint not null check (amount_minor >= 0),
  currency text,
  -- What the card does, never what its number is.
  behavior text not null check (behavior in ('approve', 'decline', 'challenge', 'dispute_lost', 'dispute_won')),
  brand text,
  last4 text check (length(last4) = 4),
  country text,
  expiry_month int,
  expiry_year int,
  response_code text,
  response_description text,
  challenge_url text,
  created_at timestamptz not null,
  captured_at timestamptz,
  refunded_at timestamptz,
  primary key (environment_id, payment_id)
) with (fillfactor = 80);

-- Every movement of money, each kind once for a charge: the ledger that the shop's own record is checked against.
create table simulator.entries (
  environment_id text collate "C" not null,
  payment_id text collate "C" not null,
  kind text not null check (kind in ('authorized', 'captured', 'voided', 'refunded', 'disputed', 'dispute_won', 'charged_back')),
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
  unique (environment_id, payment_id)
);

-- The database keeps the ledger, so no statement can move a charge and forget the entry.
create function simulator.enter() returns trigger language plpgsql as $$
begin
  insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
  values (new.environment_id, new.payment_id, new.status, new.amount_minor, new.currency, app_now());
  return null;
end $$;

create trigger charge_began after insert on simulator.charges for each row
  when (new.status = 'authorized') execute function simulator.enter();

-- A challenge that is given up had reserved nothing, so voiding it moves no money.
create trigger charge_moved after update of status on simulator.charges for each row
  when (new.status <> old.status
    and (new.status in ('authorized', 'captured', 'refunded') or (new.status = 'voided' and old.status = 'authorized')))
  execute function simulator.enter();
