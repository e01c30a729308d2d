-- "user", session, credential and verification are better-auth's tables; it writes them, we read them.
create table "user" (
  id uuid primary key default uuidv7(),
  email text not null constraint user_email_key unique,
  email_verified boolean not null default false,
  name text not null,
  image text,
  locale text not null default 'en',
  timezone text not null default 'UTC',
  is_instance_admin boolean not null default false,
  workspace_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table session (
  id uuid primary key default uuidv7(),
  user_id uuid not null references "user" on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index session_by_user on session (user_id);

create table credential (
  id uuid primary key default uuidv7(),
  user_id uuid not null references "user" on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint credential_provider_key unique (provider_id, account_id)
);
create index credential_by_user on credential (user_id);

create table verification (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_identifier on verification (identifier);
