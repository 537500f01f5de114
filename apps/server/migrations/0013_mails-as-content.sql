-- A mail is kept as what it says. How it looks is made when it is sent or read: a receipt takes 1 KB in place of 6.
alter table mails
  add column content json,
  alter column body_text drop not null,
  alter column body_html drop not null;
