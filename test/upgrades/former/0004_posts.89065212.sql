create type account_status as enum ('connected', 'disconnected');
create type post_status as enum ('draft', 'scheduled', 'publishing', 'published', 'partially_published', 'failed');
create type target_status as enum ('pending', 'publishing', 'unconfirmed', 'published', 'failed');

-- A social account that a workspace has connected. Kept after it is disconnected, because posts refer to it.
create table account (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  network text not null,
  external_id text not null,
  name text not null,
  handle text not null,
  url text,
  status account_status not null default 'connected',
  status_detail text,
  credentials text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index account_external_key on account (workspace_id, network, external_id) where deleted_at is null;
create index account_workspace on account (workspace_id, id);

create table post (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  author_id uuid references "user" on delete set null,
  content text not null,
  labels text[] not null default '{}',
  status post_status not null,
  scheduled_at timestamptz,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index post_workspace on post (workspace_id, id);
create index post_scheduled on post (workspace_id, scheduled_at);

-- One post on one account. attempt_key is made before the network is called, and is what a lost answer is looked up by.
create table post_target (
  id uuid primary key default uuidv7(),
  post_id uuid not null references post on delete cascade,
  account_id uuid not null references account,
  position smallint not null,
  content text,
  options jsonb not null default '{}',
  status target_status not null default 'pending',
  attempt_key text,
  attempt_id uuid,
  attempts smallint not null default 0,
  attempted_at timestamptz,
  external_id text,
  url text,
  error_code text,
  error_message text,
  published_at timestamptz,
  unique (post_id, account_id)
);
create index post_target_account on post_target (account_id);

-- The timeline of the built-in Playground network.
create table playground_post (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account,
  attempt_key text not null constraint playground_post_attempt_key unique,
  content text not null,
  created_at timestamptz not null default now()
);
create index playground_post_workspace on playground_post (workspace_id, id);
