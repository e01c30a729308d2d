create type backup_state as enum ('waiting', 'writing', 'verifying', 'verified', 'failed');
create type backup_error as enum (
  'disk_full', 'target_unreachable', 'target_refused', 'damaged', 'already_running', 'not_started', 'interrupted',
  'internal_error');
create type backup_origin as enum ('schedule', 'admin', 'command');

-- The backups of this installation. A backup does not hold this table: a restored installation begins with none, so that
-- it never removes the files of the original.
create table backup (
  id uuid primary key default uuidv7(),
  origin backup_origin not null,
  state backup_state not null,
  -- The folder or bucket, without credentials, and the name of the file in it.
  target text not null,
  file_name text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Without a report until this time, its process was lost.
  lease_until timestamptz,
  -- Progress of the current step.
  done_bytes bigint not null default 0,
  total_bytes bigint not null default 0,
  -- Of the whole file, once it is written.
  bytes bigint,
  row_count bigint,
  file_count integer,
  missing_files integer,
  error_code backup_error,
  verified_at timestamptz,
  -- The last trial restore that succeeded.
  restored_at timestamptz,
  -- When the file was removed, because there are enough newer ones.
  removed_at timestamptz,
  check ((state in ('verified', 'failed')) = (ended_at is not null)),
  check ((state = 'failed') = (error_code is not null)),
  check (state <> 'verified' or (verified_at is not null and bytes is not null))
);
-- One at a time.
create unique index backup_running_key on backup ((true)) where state in ('waiting', 'writing', 'verifying');
