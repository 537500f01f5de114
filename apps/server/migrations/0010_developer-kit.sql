-- A listener is a subscription that lives as long as the connection of a developer's computer. Null: an ordinary one.
-- The process that holds the connection keeps pushing the time ahead; whoever finds it in the past forgets the listener.
alter table webhook_subscriptions add column listening_until timestamptz;

-- A listener stands before the registered endpoint, it does not replace it.
drop index webhook_one_item_endpoint;
create unique index webhook_one_item_endpoint on webhook_subscriptions (environment_id)
  where enabled and takes_items and listening_until is null;
create index webhook_listeners on webhook_subscriptions (listening_until) where listening_until is not null;

-- Triggered by a developer: nothing happened.
alter table events add column test boolean not null default false;

-- One attempt on its way through a connection that another process holds. Gone after seconds, so it need not survive a
-- crash: the delivery it belongs to does, and is tried again.
create unlogged table listen_requests (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  subscription_id text collate "C" not null,
  request json not null,
  taken boolean not null default false,
  answer json,
  created_at timestamptz not null,
  primary key (environment_id, id)
);
create index listen_requests_to_take on listen_requests (subscription_id) where not taken;
create index listen_requests_by_age on listen_requests (created_at);
