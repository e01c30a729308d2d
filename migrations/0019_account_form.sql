alter table account
  -- What was entered to connect the account, without secrets, so that connecting it again needs only those.
  add column form jsonb not null default '{}',
  -- Changes with each connection and disconnection, and not with the name.
  add column connection_changed_at timestamptz not null default now();
