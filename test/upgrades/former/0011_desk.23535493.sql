-- What an instance admin manages: options, AI models, plans, e-mail templates; and what workspaces use of it.

-- What overrides the environment or a default. A secret is sealed for its place; of it the last four characters are
-- kept readable, so that one can be told from another.
create table option (
  id uuid primary key default uuidv7(),
  key text not null constraint option_key unique,
  value jsonb,
  secret text,
  last4 text,
  updated_at timestamptz not null default now(),
  check ((value is null) <> (secret is null))
);

create type ai_provider as enum ('openai', 'anthropic', 'google', 'xai', 'mistral', 'ollama', 'custom');
create type ai_category as enum ('text', 'image', 'video');
create type ai_api_type as enum ('chat', 'completion', 'embedding');
create table ai_model (
  id integer primary key generated always as identity,
  id_secure uuid not null default uuidv7() constraint ai_model_id_secure_key unique,
  provider ai_provider not null,
  model_key text not null,
  name text not null,
  category ai_category not null default 'text',
  type text,
  is_active boolean not null default true,
  api_type ai_api_type not null default 'chat',
  api_params jsonb not null,
  meta jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create trigger ai_model_version before update on ai_model for each row execute function next_version();

-- Prices are minor units; a plan may have none in US dollars.
create table plan (
  code text primary key,
  name text not null,
  description text not null default '',
  position integer not null,
  is_featured boolean not null default false,
  is_public boolean not null default true,
  is_active boolean not null default true,
  trial_days integer,
  try_monthly bigint not null,
  try_yearly bigint not null,
  usd_monthly bigint,
  usd_yearly bigint,
  limits jsonb not null,
  features text[] not null default '{}',
  entitlements text[] not null default '{}',
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  check ((usd_monthly is null) = (usd_yearly is null))
);
create unique index plan_code_key on plan (lower(code));
create index plan_position on plan (position, code);
create trigger plan_version before update on plan for each row execute function next_version();

insert into plan (code, name, description, position, is_featured, trial_days, try_monthly, try_yearly, usd_monthly, usd_yearly, limits, features, entitlements) values
('free', 'Free', 'For trying it out', 1, false, null, 0, 0, 0, 0,
  '{"social_accounts":3,"posts_per_month":100,"ai_credits":50,"team_members":2,"storage_mb":500,"scheduled_posts_max":30}',
  '{}', '{}'),
('pro', 'Pro', 'For brands that post every day', 2, true, 14, 49900, 499000, 1500, 15000,
  '{"social_accounts":15,"posts_per_month":2000,"ai_credits":1000,"team_members":5,"storage_mb":10000,"scheduled_posts_max":500}',
  '{AI agents,Approvals,Audit log}', '{ai.agents,approvals,audit_log}'),
('team', 'Team', 'For agencies and teams', 3, false, null, 149900, 1499000, 4500, 45000,
  '{"social_accounts":50,"posts_per_month":-1,"ai_credits":10000,"team_members":25,"storage_mb":100000,"scheduled_posts_max":-1}',
  '{Everything in Pro,Selling on the marketplace}', '{ai.agents,approvals,audit_log,marketplace.sell}');

-- What a workspace has used of a meter since the beginning of a month (UTC). The row of a meter that counts what is
-- there now has the first period and is only a lock.
create table usage (
  workspace_id uuid not null references workspace on delete cascade,
  meter text not null,
  period_start date not null,
  used integer not null default 0 check (used >= 0),
  primary key (workspace_id, meter, period_start)
) with (fillfactor = 70);

-- The month whose count this post is part of; null: it is part of none.
alter table post add column counted_in date;
create index post_waiting on post (workspace_id) where status = 'scheduled' and deleted_at is null;

create type generation_state as enum ('running', 'succeeded', 'failed', 'canceled');
create type generation_kind as enum ('text', 'image', 'video');
-- Every generation with the credits that it holds. They are given back when it fails; what a dead node left running is
-- found by its lease.
create table ai_generation (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  user_id uuid references "user" on delete set null,
  model_id integer references ai_model on delete set null,
  kind generation_kind not null,
  prompt text,
  params jsonb not null default '{}',
  state generation_state not null default 'running',
  credits integer not null,
  counted_in date not null,
  progress real,
  -- What the vendor calls a job of its own.
  operation jsonb,
  input_tokens integer,
  output_tokens integer,
  error_code text,
  leased_until timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index ai_generation_workspace on ai_generation (workspace_id, id);
create index ai_generation_running on ai_generation (leased_until) where state = 'running';

-- What was generated, until it is kept elsewhere or expires.
create table ai_file (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  generation_id uuid not null references ai_generation on delete cascade,
  mime text not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
alter table ai_file alter column bytes set storage external;
create index ai_file_generation on ai_file (generation_id);
create index ai_file_expires on ai_file (expires_at);

create table email_template (
  id uuid primary key default uuidv7(),
  key text not null,
  locale text not null,
  subject text not null,
  body_html text not null,
  body_text text,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint email_template_key unique (key, locale)
);
create trigger email_template_version before update on email_template for each row execute function next_version();

-- The outbox, read by state and tried again.
alter table mail add column attempts integer not null default 0;
create index mail_state on mail (state, id);
