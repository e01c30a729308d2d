create type media_kind as enum ('image', 'gif', 'video', 'document');

-- `array_to_string` is only stable, because it also takes arrays of types whose text depends on settings.
create function media_text(name text, alt text, labels text[]) returns text immutable strict parallel safe language sql
  return folded(left(name || ' ' || alt || ' ' || array_to_string(labels, ' '), 5000));

-- Files of a workspace. Storage has each in a folder of its own, named by workspace and id.
create table media (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  uploaded_by_id uuid references "user" on delete set null,
  kind media_kind not null,
  mime text not null,
  extension text not null,
  bytes integer not null,
  width integer,
  height integer,
  duration_s double precision,
  opaque boolean,
  name text not null,
  alt text not null default '',
  labels text[] not null default '{}',
  -- Of the file as it was uploaded. Stored without location, it may be another.
  sha256 text not null,
  placeholder text,
  -- Null: it has none.
  thumbnail_bytes integer,
  search_text text generated always as (media_text(name, alt, labels)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1
);
-- With deleted ones, which can be restored.
create unique index media_sha256_key on media (workspace_id, sha256);
-- Its bytes are what the storage of a workspace is counted from.
create index media_workspace on media (workspace_id, id) include (bytes);
create index media_kind on media (workspace_id, kind, id) where deleted_at is null;
create index media_uploaded_by on media (uploaded_by_id, id);
create index media_deleted on media (workspace_id, id) where deleted_at is not null;
create index media_erasable on media (deleted_at) where deleted_at is not null;
create trigger media_version before update of updated_at, deleted_at on media
  for each row execute function next_version();

-- Copies of a file that were made to fit a network, in the folder of the file. `fit`: hash of what they fit.
create table media_rendition (
  media_id uuid not null references media on delete cascade,
  fit text not null,
  mime text not null,
  extension text not null,
  bytes integer not null,
  width integer,
  height integer,
  created_at timestamptz not null default now(),
  primary key (media_id, fit)
);

-- Folders of storage that are erased once due: of files that were erased, and of files whose upload has not ended.
-- Without a foreign key, because it outlives its workspace.
create table storage_erasure (
  folder text primary key,
  due_at timestamptz not null
);
create index storage_erasure_due on storage_erasure (due_at);

-- Resumable uploads. Without foreign keys, because the job that erases them also removes what was received.
create table media_upload (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  user_id uuid not null,
  bytes integer not null,
  name text not null,
  alt text not null default '',
  labels text[] not null default '{}',
  media_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index media_upload_workspace on media_upload (workspace_id, id) include (bytes) where media_id is null;
create index media_upload_expires on media_upload (expires_at);
