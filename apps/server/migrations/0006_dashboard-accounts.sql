-- The people of a studio: how they sign in, what they may do, and what they did.

alter table users
  add column name text not null default '',
  -- Null follows the browser.
  add column locale text,
  add column totp_sealed bytea,
  -- Null while a secret is handed over but not proven.
  add column totp_confirmed_at timestamptz,
  -- The time step of the last code that was taken: a code works once.
  add column totp_last_step bigint not null default 0;

create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users,
  token_hash bytea not null unique,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 80);
create index sessions_by_user on sessions (user_id, id);
create index sessions_by_expiry on sessions (expires_at);

create table recovery_codes (
  user_id text collate "C" not null references users,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Links that were sent by e-mail and work once.
create table mail_links (
  token_hash bytea primary key,
  user_id text collate "C" not null references users,
  kind text not null check (kind in ('password_reset', 'email_change')),
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index mail_links_by_user on mail_links (user_id, kind);

create table invitations (
  company_id text collate "C" not null references companies,
  id text collate "C" not null,
  email text not null,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  token_hash bytea not null unique,
  invited_by text collate "C" not null references users,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, id)
);
create unique index invitations_one_each on invitations (company_id, lower(email));

-- Wrong passwords, by account and by address, for every process together.
create table sign_in_failures (
  key text collate "C" primary key,
  failures int not null,
  first_at timestamptz not null,
  last_at timestamptz not null
) with (fillfactor = 70);
create index sign_in_failures_by_age on sign_in_failures (last_at);

create table audit_entries (
  id text collate "C" primary key,
  -- Null for what a user did to the own account.
  company_id text collate "C",
  environment_id text collate "C",
  user_id text collate "C",
  -- The e-mail address as it was, so that the entry says who when the user is gone.
  actor text not null,
  kind text not null,
  object_id text,
  -- Never a secret.
  before json,
  after json,
  ip text,
  created_at timestamptz not null
);
create index audit_by_company on audit_entries (company_id, id);
create index audit_by_actor on audit_entries (user_id, company_id, id);

create function refuse_audit_change() returns trigger language plpgsql as
$$ begin raise exception 'the audit log is append only'; end $$;
create trigger audit_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();

alter table s2s_keys
  add column label text not null default '',
  add column created_by text collate "C";

create index members_by_user on members (user_id);
create unique index games_once on games (company_id, store, store_app_id);

alter table companies
  add column receipt_sender_name text,
  add column receipt_reply_to text;

-- Null: as long as the schedule of attempts lasts.
alter table environments
  add column release_grant_after_seconds int check (release_grant_after_seconds between 60 and 259200);

alter table mails
  add column sender_name text,
  add column reply_to text;
