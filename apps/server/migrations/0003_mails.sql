-- Every mail is a row before it is sent, so that nothing is lost when there is no mail server or it is down.
create table mails (
  id text collate "C" primary key,
  environment_id text collate "C",
  kind text not null,
  -- What the mail is about, such as 'receipt pay_…': made once, however often it is asked for.
  about text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  -- kept: there was no mail server; it stays until somebody sends it. failed: given up.
  status text not null check (status in ('queued', 'sent', 'kept', 'failed')),
  tries int not null default 0,
  -- Somebody is sending it; when that time has passed, somebody else may.
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  unique nulls not distinct (environment_id, about, recipient),
  check ((status = 'sent') = (sent_at is not null))
) with (fillfactor = 80);
create index mails_not_sent on mails (status, id) where status <> 'sent';
