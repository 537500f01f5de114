-- runs in a transaction
-- oldest program: 0001

-- Reads each table once and keeps no writer waiting.
alter table orders validate constraint orders_are_sound;
alter table payments validate constraint payments_are_sound;
alter table deliveries validate constraint deliveries_are_sound;
alter table simulator.charges validate constraint charges_are_sound;
