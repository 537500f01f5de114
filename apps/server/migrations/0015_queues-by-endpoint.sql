-- The queue of each endpoint by itself: whoever looks for work must not walk past what waits for an endpoint that is busy.
create index deliveries_due_by_endpoint on deliveries (lane, (coalesce(subscription_id, '')), next_attempt_at)
  where status = 'pending';
drop index deliveries_due;

-- The endpoints for which something is pending, found by one step in the index for each.
create view waiting_endpoints as
with recursive found (lane, endpoint) as (
  (select lane, coalesce(subscription_id, '') from deliveries where status = 'pending'
   order by lane, coalesce(subscription_id, '') limit 1)
  union all
  select next.lane, next.endpoint from found cross join lateral (
    select d.lane, coalesce(d.subscription_id, '') as endpoint from deliveries d
    where d.status = 'pending' and (d.lane, coalesce(d.subscription_id, '')) > (found.lane, found.endpoint)
    order by d.lane, coalesce(d.subscription_id, '') limit 1) next
)
select lane, endpoint from found;
