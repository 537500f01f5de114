-- One row that readiness writes, because a full disk still answers questions.
create table heartbeat (
  single boolean primary key check (single),
  beat_at timestamptz not null
);
