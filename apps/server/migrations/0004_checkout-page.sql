-- How the payment page looks for a game. Contrast is the page's own rule, so any color may stand here.
alter table games
  add column icon_url text check (icon_url ~ '^https://'),
  add column logo_url text check (logo_url ~ '^https://'),
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$');

-- What players did on the payment page, counted by day (UTC). Numbers only: nobody can be found in them.
create table checkout_counters (
  environment_id text collate "C" not null references environments,
  day date not null,
  kind text not null check (kind in ('opened', 'method_chosen', 'submitted', 'challenge_shown', 'left')),
  count bigint not null check (count > 0),
  primary key (environment_id, day, kind)
) with (fillfactor = 70);
