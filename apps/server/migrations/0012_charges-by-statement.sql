-- The ledger of the simulator is kept for all rows of a statement at once: charges come many to a statement.
drop trigger charge_began on simulator.charges;
drop trigger charge_moved on simulator.charges;
drop function simulator.enter();

create function simulator.enter_new() returns trigger language plpgsql as $$
begin
  insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
  select environment_id, payment_id, status, amount_minor, currency, app_now() from made where status = 'authorized';
  return null;
end $$;

-- A challenge that is given up had reserved nothing, so voiding it moves no money.
create function simulator.enter_moved() returns trigger language plpgsql as $$
begin
  insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
  select m.environment_id, m.payment_id, m.status, m.amount_minor, m.currency, app_now()
  from moved m join before b on b.environment_id = m.environment_id and b.payment_id = m.payment_id
  where m.status <> b.status
    and (m.status in ('authorized', 'captured', 'refunded') or (m.status = 'voided' and b.status = 'authorized'));
  return null;
end $$;

create trigger charge_began after insert on simulator.charges referencing new table as made
  for each statement execute function simulator.enter_new();
create trigger charge_moved after update on simulator.charges referencing old table as before new table as moved
  for each statement execute function simulator.enter_moved();
