create type agent_autonomy as enum ('draft', 'approve', 'auto');

create table agent (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  -- The member whose rights its runs have. Null: the user is gone, and the agent does not run.
  acts_for_id uuid references "user" on delete set null,
  name text not null,
  description text not null,
  category text not null,
  tags text[] not null,
  role text not null,
  persona text not null,
  system_prompt text not null,
  image_style text not null,
  voice text not null,
  -- Null: the language of the workspace.
  language text,
  -- Null: it runs by hand only.
  schedule_cron text,
  timezone text not null,
  posts_per_run smallint not null check (posts_per_run between 1 and 10),
  daily_limit smallint not null check (daily_limit between 1 and 50),
  autonomy_level agent_autonomy not null,
  generate_image boolean not null,
  design boolean not null,
  video boolean not null,
  -- Null: the first active one.
  text_model_id integer references ai_model on delete set null,
  -- Hosts that links in its posts may have, with their subdomains.
  link_domains text[] not null,
  forbidden_words text[] not null,
  -- Times of day on its clocks between which `auto` publishes nothing.
  quiet_from time,
  quiet_until time,
  is_active boolean not null default false,
  disabled_reason text,
  next_run_at timestamptz,
  -- Runs that failed in a row.
  failures smallint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  check ((quiet_from is null) = (quiet_until is null))
);
create index agent_workspace on agent (workspace_id, id);
create index agent_acts_for on agent (acts_for_id);
create index agent_due on agent (next_run_at) where is_active;
create trigger agent_version before update of updated_at on agent for each row execute function next_version();

create table agent_account (
  agent_id uuid not null references agent on delete cascade,
  account_id uuid not null references account on delete cascade,
  primary key (agent_id, account_id)
);
create index agent_account_account on agent_account (account_id);

create type agent_run_status as enum (
  'queued', 'running', 'awaiting_review', 'completed', 'failed', 'skipped', 'canceled'
);
create type agent_run_trigger as enum ('schedule', 'manual');

create table agent_run (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  agent_id uuid not null references agent on delete cascade,
  trigger agent_run_trigger not null,
  -- The minute on the clocks of the agent, such as 2026-11-22T09:00, or `m:` and an id. It makes a run unique.
  slot text not null,
  status agent_run_status not null default 'queued',
  reason text,
  -- The agent as it ran.
  config jsonb,
  wanted smallint not null,
  made smallint not null default 0,
  credits integer not null default 0,
  -- The local day whose limit it counts in.
  day date not null,
  granted smallint,
  -- Times before that were due and have no run.
  missed smallint not null default 0,
  attempts smallint not null default 0,
  -- The worker that carries it out, until `lease_until`.
  claim_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint agent_run_slot unique (agent_id, slot)
);
create index agent_run_agent on agent_run (agent_id, id);
create index agent_run_workspace on agent_run (workspace_id, id);
create unique index agent_run_in_progress on agent_run (agent_id) where status in ('queued', 'running');

create type agent_item_status as enum (
  'writing', 'blocked', 'created', 'pending', 'approved', 'rejected', 'expired'
);

-- One post of a run.
create table agent_item (
  run_id uuid not null references agent_run on delete cascade,
  position smallint not null,
  status agent_item_status not null,
  post_id uuid unique references post on delete set null,
  generation_ids uuid[] not null default '{}',
  draft jsonb,
  -- Checks that failed, with their texts.
  checks jsonb not null default '[]',
  reason text,
  updated_at timestamptz not null default now(),
  primary key (run_id, position)
);

-- Posts that an agent wrote on a day of its clocks.
create table agent_day (
  agent_id uuid not null references agent on delete cascade,
  day date not null,
  used smallint not null check (used >= 0),
  primary key (agent_id, day)
);

-- The run that wrote a post, and its place there: no run writes one twice.
alter table post add column agent_run_id uuid references agent_run on delete set null;
alter table post add column agent_position smallint;
create unique index post_agent_key on post (agent_run_id, agent_position) where agent_run_id is not null;
