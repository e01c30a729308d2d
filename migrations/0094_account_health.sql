-- The last check of all accounts of a workspace.
create table account_check (
  workspace_id uuid primary key references workspace on delete cascade,
  -- Differs with every check, so that the job of a former one stops.
  id uuid not null default uuidv7(),
  total integer not null,
  -- Accounts that are still to be checked.
  pending uuid[] not null,
  disconnected integer not null default 0,
  unreachable integer not null default 0,
  started_at timestamptz not null,
  progressed_at timestamptz not null,
  completed_at timestamptz
);

-- Finds the last failure of an account.
create index post_target_failed on post_target (account_id, attempted_at) where status = 'failed';
