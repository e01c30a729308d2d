create table webhook (
  id uuid primary key default uuidv7(),
  user_id uuid references "user" on delete set null,
  team_id uuid not null references workspace on delete cascade,
  url text not null,
  events text[] not null,
  secret text not null,
  active boolean not null default true,
  created_at timestamptz not null default now()
);
create index webhook_team on webhook (team_id, id);

-- Counters apart from the webhook row: emit takes a share lock on that row and must not wait for them.
create table webhook_health (
  webhook_id uuid primary key references webhook on delete cascade,
  failure_count integer not null default 0,
  last_dispatched_at timestamptz,
  last_failure_at timestamptz
) with (fillfactor = 70);

-- payload holds the exact bytes that are signed and sent.
create table event (
  id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  type text not null,
  payload bytea not null,
  created_at timestamptz not null
);
create index event_workspace on event (workspace_id, id);

-- What is still to be sent. A row is the job itself, and goes when it was delivered or ran out of attempts.
create table delivery (
  id bigint generated always as identity primary key,
  event_id uuid not null references event on delete cascade,
  webhook_id uuid not null references webhook on delete cascade,
  type text not null,
  attempt smallint not null default 0,
  run_at timestamptz not null,
  claim_id uuid,
  lease_until timestamptz
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index delivery_due on delivery (webhook_id, run_at) where claim_id is null;
create index delivery_leased on delivery (lease_until) where claim_id is not null;
create index delivery_event on delivery (event_id);
