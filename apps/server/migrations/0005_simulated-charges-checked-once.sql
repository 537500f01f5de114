-- runs in a transaction
-- oldest program: 0001

-- As for orders.
create function simulator.is_sound_charge(status text, amount_minor bigint, behavior text, last4 text) returns boolean
language plpgsql immutable as $$
declare
  broken text;
begin
  broken := case
    when status not in ('requires_action', 'processing', 'authorized', 'captured', 'declined', 'voided', 'refunded', 'never')
      then 'charges_status_check'
    when amount_minor < 0 then 'charges_amount_minor_check'
    when behavior not in ('approve', 'decline', 'challenge', 'dispute_lost', 'dispute_won', 'dispute_evidence', 'inquiry',
                          'dispute_unclear', 'refund_fails') then 'charges_behavior_check'
    when length(last4) <> 4 then 'charges_last4_check'
  end;
  if broken is null then
    return true;
  end if;
  raise exception 'new row for relation "charges" violates check constraint "%"', broken
    using errcode = 'check_violation', schema = 'simulator', table = 'charges', constraint = broken;
end $$;

alter table simulator.charges
  add constraint charges_are_sound check (simulator.is_sound_charge(status, amount_minor, behavior, last4)) not valid,
  drop constraint charges_status_check,
  drop constraint charges_amount_minor_check,
  drop constraint charges_behavior_check,
  drop constraint charges_last4_check;
