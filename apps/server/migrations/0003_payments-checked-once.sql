-- runs in a transaction
-- oldest program: 0001

-- As for orders. A file of its own, so that it holds one of the two tables only.
create function is_sound_payment(status text, amount_minor bigint, authorized_at timestamptz, captured_at timestamptz,
                                 refunded_at timestamptz) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  broken := case
    when status not in ('pending', 'requires_action', 'authorized', 'succeeded', 'declined', 'abandoned', 'voided', 'refund_requested',
                        'refunded', 'disputed', 'charged_back') then 'payments_status_check'
    when amount_minor < 0 then 'payments_amount_minor_check'
    -- A status that says that something happened says when.
    when status in ('pending', 'requires_action', 'declined', 'abandoned')
      and (authorized_at is not null or captured_at is not null or refunded_at is not null) then 'payments_begun_has_no_times'
    when status not in ('pending', 'requires_action', 'declined', 'abandoned') and authorized_at is null
      then 'payments_reserved_has_its_time'
    when status in ('succeeded', 'disputed', 'charged_back') and captured_at is null then 'payments_captured_has_its_time'
    when status = 'authorized' and (captured_at is not null or refunded_at is not null) then 'payments_not_captured_yet'
    when status = 'refunded' and refunded_at is null then 'payments_refunded_has_its_time'
  end;
  if broken is null then
    return true;
  end if;
  raise exception 'new row for relation "payments" violates check constraint "%"', broken
    using errcode = 'check_violation', table = 'payments', constraint = broken;
end $$;

alter table payments
  add constraint payments_are_sound check (is_sound_payment(status, amount_minor, authorized_at, captured_at, refunded_at)) not valid,
  drop constraint payments_status_check,
  drop constraint payments_amount_minor_check,
  drop constraint payments_begun_has_no_times,
  drop constraint payments_reserved_has_its_time,
  drop constraint payments_captured_has_its_time,
  drop constraint payments_not_captured_yet,
  drop constraint payments_refunded_has_its_time;
