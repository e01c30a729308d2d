create type currency as enum ('TRY', 'USD');
create type workspace_role as enum ('viewer', 'author', 'editor', 'admin', 'owner');

create table workspace (
  id uuid primary key default uuidv7(),
  name text not null,
  slug text not null constraint workspace_slug_key unique,
  default_currency currency not null default 'TRY',
  locale text not null default 'tr',
  timezone text not null default 'Europe/Istanbul',
  billing_address jsonb,
  plan_code text not null default 'free',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index workspace_name_key on workspace (lower(normalize(name, NFC)));

create table workspace_member (
  workspace_id uuid not null references workspace on delete cascade,
  user_id uuid not null references "user" on delete cascade,
  role workspace_role not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_member_user on workspace_member (user_id);

alter table "user" add foreign key (workspace_id) references workspace on delete set null;

-- team_id null: a token for every workspace of its user.
create table api_token (
  id uuid primary key default uuidv7(),
  user_id uuid not null references "user" on delete cascade,
  team_id uuid references workspace on delete cascade,
  name text not null,
  prefix text not null constraint api_token_prefix_key unique,
  hashed_token text not null,
  scopes text[] not null default '{}',
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_token_team on api_token (team_id, id);
create index api_token_user on api_token (user_id, id);
