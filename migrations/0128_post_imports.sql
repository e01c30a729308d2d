-- A table of posts from a spreadsheet. Erased with its rows a day after it was created, or after its posts were. The file
-- itself is not kept.
create type post_import_status as enum ('mapping', 'checking', 'ready', 'writing', 'done', 'undoing', 'undone');
create type post_import_row_state as enum ('unchecked', 'ok', 'warning', 'error', 'skipped', 'written', 'undone', 'kept');

create table post_import (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  created_by uuid references "user" on delete set null,
  -- In whose name its job acts: the member who confirmed the import, or undoes it.
  acting_id uuid references "user" on delete set null,
  name text not null,
  status post_import_status not null default 'mapping',
  -- The tool whose columns the file has.
  format text not null,
  encoding text not null,
  delimiter text,
  has_header boolean not null,
  -- The names of the columns, and the field that each of them is. Both have the same length.
  columns text[] not null,
  fields text[] not null,
  -- How dates with two orders are read. Null: not decided, or no date needs it.
  date_order text,
  -- Whether dates can be read in both orders, and some of them.
  date_is_ambiguous boolean not null default false,
  date_examples text[] not null default '{}',
  timezone text not null,
  -- Accounts of rows that name none.
  account_ids uuid[] not null default '{}',
  -- The account of each name that is none of the workspace.
  account_names jsonb not null default '{}',
  -- What was confirmed.
  written_as text,
  written_states text[] not null default '{}',
  total int not null default 0,
  confirmed_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz not null,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index post_import_workspace on post_import (workspace_id, id);
create index post_import_expires on post_import (expires_at);
create index post_import_created_by on post_import (created_by) where created_by is not null;
create index post_import_acting on post_import (acting_id) where acting_id is not null;

-- `post_id` has no foreign key: a row whose post was erased must not be written again.
create table post_import_row (
  import_id uuid not null references post_import on delete cascade,
  row int not null,
  -- The line of the file at which the row begins.
  line int not null,
  cells jsonb not null,
  -- Bytes of `cells`, so that a batch is bounded without reading them.
  bytes int not null,
  state post_import_row_state not null default 'unchecked',
  -- What reading the file found out about the row.
  faults jsonb not null default '[]',
  problems jsonb not null default '[]',
  -- The post that the row becomes.
  post jsonb,
  -- One text for each account, minute and text, which find the same post in other rows.
  duplicate_keys text[] not null default '{}',
  post_id uuid,
  primary key (import_id, row)
);
create index post_import_row_state on post_import_row (import_id, state, row);

-- The files that the rows of a confirmed import name by an address, each once, until they are fetched or have failed.
create table post_import_media (
  import_id uuid not null references post_import on delete cascade,
  -- The MD5 of `url`, which can be too long for an index.
  url_hash text not null,
  url text not null,
  alt text,
  attempts int not null default 0,
  -- The file, or why there is none. Both null: still to be fetched. No foreign key: the file may be deleted meanwhile.
  media_id uuid,
  error jsonb,
  primary key (import_id, url_hash)
);
