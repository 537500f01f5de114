/**
 * Three releases after this one: the first adds a column, a constraint and an index, and begins to split a column in two. The
 * second uses the halves, and the third drops the whole. Each can run beside the one before it.
 */
import type { NextVersion } from './versions.ts';

/** Old programs write the whole, new ones the halves: whichever comes, the other follows. */
const EXPAND = `-- oldest program: OLD
alter table orders add column note text not null default '', add column opened_on date, add column opened_time time;
alter table orders add constraint orders_note_is_short check (length(note) <= 200) not valid;
create function split_opening() returns trigger language plpgsql as $$
begin
  if new.opened_at is not null and new.opened_on is null then
    new.opened_on := (new.opened_at at time zone 'utc')::date;
    new.opened_time := (new.opened_at at time zone 'utc')::time;
  elsif new.opened_on is not null and new.opened_at is null then
    new.opened_at := (new.opened_on + new.opened_time) at time zone 'utc';
  end if;
  return new;
end $$;
create trigger orders_split_opening before insert or update on orders for each row execute function split_opening();
`;

/** In small steps that wait for no order that is being worked on, so that no player waits either. */
const FILL = `-- runs outside a transaction
-- oldest program: OLD
do $$ begin loop update orders o set opened_on = (o.opened_at at time zone 'utc')::date, opened_time = (o.opened_at at time zone 'utc')::time from (select environment_id, id from orders where opened_at is not null and opened_on is null limit 200 for update skip locked) part where o.environment_id = part.environment_id and o.id = part.id; commit; exit when not exists (select 1 from orders where opened_at is not null and opened_on is null); end loop; end $$;
alter table orders validate constraint orders_note_is_short;
create index concurrently if not exists orders_by_opening on orders (environment_id, opened_on, id);
`;

const SWITCH = `-- oldest program: OLD
alter table orders add constraint orders_opening_is_whole check ((opened_on is null) = (opened_time is null)) not valid;
alter table orders validate constraint orders_opening_is_whole;
`;

/** A program that knows nothing of the halves cannot live with this. */
const CONTRACT = `-- oldest program: NNNN+3
drop trigger orders_split_opening on orders;
drop function split_opening();
alter table orders drop column opened_at;
`;

const USES_HALVES = [
  ['and opened_at is null for update skip locked', 'and opened_on is null for update skip locked'],
  [
    'update orders o set opened_at = app_now() from free',
    "update orders o set opened_on = (app_now() at time zone 'utc')::date, opened_time = (app_now() at time zone 'utc')::time from free",
  ],
] as const;

const expand = { 'split-opening': EXPAND, 'fill-halves': FILL };

export const RELEASES: readonly NextVersion[] = [
  { name: 'expand', migrations: expand },
  { name: 'switch', migrations: { ...expand, 'whole-openings': SWITCH }, changes: USES_HALVES },
  {
    name: 'contract',
    migrations: { ...expand, 'whole-openings': SWITCH, 'drop-opening': CONTRACT },
    changes: USES_HALVES,
  },
];
