-- ledger ----------------------------------------------------------------------------------------

-- Where the money of live payments is, in double entry: what leaves one account enters another. Rolled up from what happened;
-- nothing on the way of an order waits for it. Entries are written and never changed.
create table ledger_entries (
  environment_id text collate "C" not null,
  -- The event that tells of it, or a name made from the payment: each is posted once.
  posting_id text collate "C" not null,
  -- player: outside. reserved: held by the bank. balance: ours at the provider. fees: the provider's. disputed: in question.
  account text not null check (account in ('player', 'reserved', 'balance', 'fees', 'disputed')),
  payment_id text collate "C" not null,
  kind text not null check (kind in ('authorized', 'released', 'captured', 'fee', 'refunded', 'disputed', 'dispute_won',
                                     'charged_back')),
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (environment_id, posting_id, account)
);
create index ledger_by_payment on ledger_entries (payment_id, environment_id);
create index ledger_by_time on ledger_entries (occurred_at);
create index ledger_disputed on ledger_entries (environment_id, payment_id) where account = 'disputed';

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

-- How far the events are rolled up. Numbers are given out before they are committed, so a second reader follows ten minutes
-- behind the first and takes up what came in late.
create table ledger_readers (
  name text primary key check (name in ('prompt', 'late')),
  seq bigint not null
);
insert into ledger_readers (name, seq) values ('prompt', 0), ('late', 0);

create index provider_charges_fee_due on provider_charges (updated_at)
  where fee_minor is not null and not is_fee_posted;

-- reconciliation --------------------------------------------------------------------------------

-- What moved on a day, by whom it was taken.
create index provider_charges_by_account on provider_charges (account_id, updated_at);

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
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, day)
);
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
  primary key (company_id, id),
  unique (account_id, kind, subject)
);
create index reconciliation_differences_open on reconciliation_differences (company_id, id) where state = 'open';
