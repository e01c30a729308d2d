create unlogged table if not exists auth_attempt (
  key text primary key,
  started_at timestamptz not null,
  count integer not null
);
create index if not exists auth_attempt_started on auth_attempt (started_at);
