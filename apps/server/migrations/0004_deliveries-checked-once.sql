-- runs in a transaction
-- oldest program: 0001

-- As for orders.
create function is_sound_delivery(lane text, status text, next_attempt_at timestamptz) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  broken := case
    when lane not in ('items', 'observer') then 'deliveries_lane_check'
    when status not in ('pending', 'blocked', 'held', 'succeeded', 'declined', 'exhausted', 'canceled') then 'deliveries_status_check'
    -- What is pending is due at some time, and nothing else is.
    when (status = 'pending') <> (next_attempt_at is not null) then 'deliveries_check'
  end;
  if broken is null then
    return true;
  end if;
  raise exception 'new row for relation "deliveries" violates check constraint "%"', broken
    using errcode = 'check_violation', table = 'deliveries', constraint = broken;
end $$;

alter table deliveries
  add constraint deliveries_are_sound check (is_sound_delivery(lane, status, next_attempt_at)) not valid,
  drop constraint deliveries_lane_check,
  drop constraint deliveries_status_check,
  drop constraint deliveries_check;
