-- Whoever sends a delivery has it until this time. Beside the date of the queue and in no index, so that a claim is written
-- into the same page and touches nothing else; a claim that moved the date went into every index of the row.
alter table deliveries add column claimed_until timestamptz;
update deliveries set claimed_until = next_attempt_at where claim_id is not null and status = 'pending';
-- Room for the second version of each row of a page.
alter table deliveries set (fillfactor = 50);
