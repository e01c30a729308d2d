create type agent_source_kind as enum ('feed', 'page', 'text');

-- Material of an agent. One with neither url nor text is to be completed by a person.
create table agent_source (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  agent_id uuid not null references agent on delete cascade,
  kind agent_source_kind not null,
  label text not null,
  url text,
  text text,
  -- What an untrusted one says is never published unseen.
  is_trusted boolean not null default false,
  etag text,
  last_modified text,
  -- The last attempt.
  last_fetched_at timestamptz,
  -- Null: the last attempt succeeded.
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  check (case kind when 'text' then url is null else text is null end)
);
create index agent_source_agent on agent_source (agent_id, id);
create index agent_source_workspace on agent_source (workspace_id, id);
create trigger agent_source_version before update of updated_at on agent_source
  for each row execute function next_version();

-- An entry of a feed, or a part of a page. Entries that are used stay without their text, so that they are not new again.
create table agent_source_item (
  id uuid primary key default uuidv7(),
  source_id uuid not null references agent_source on delete cascade,
  key_hash text not null,
  title text not null,
  text text not null,
  -- Null: it leads to another host than that of the source.
  url text,
  published_at timestamptz,
  is_used boolean not null default false,
  -- The run that wrote a post from it.
  used_in_run uuid references agent_run on delete set null,
  constraint agent_source_item_key unique (source_id, key_hash)
);
create index agent_source_item_run on agent_source_item (used_in_run);
