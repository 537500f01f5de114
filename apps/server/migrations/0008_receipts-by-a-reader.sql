-- runs in a transaction
-- oldest program: 0001

-- A reader of paid orders writes their receipts, in place of a job for each.
alter table reader_positions
  drop constraint reader_positions_name_check,
  add constraint reader_positions_name_check
    check (name in ('figures', 'players', 'orders', 'ledger', 'attempts', 'audit', 'receipts'));
-- Every order that was paid until now has its job. A lower number that is still to come is of the program before this one,
-- which queues a job too.
insert into reader_positions (name, seq)
select 'receipts', coalesce((select seq from events where type <> 'order.created' order by seq desc limit 1), 0);
