-- App that the operator registered at a network. Accounts sign in with it. Id and secret are sealed.
create table network_app (
  id uuid primary key default uuidv7(),
  network text not null constraint network_app_key unique,
  client_id text not null,
  client_secret text not null,
  last4 text,
  -- The last refusal of id or secret by the network; null since it accepted them.
  refused_at timestamptz,
  refused_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create trigger network_app_version before update of updated_at on network_app
  for each row execute function next_version();

-- Tokens of one sign-in at a network, which several accounts can share.
create table oauth_grant (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  network text not null,
  -- Sealed JSON: the tokens, and the id of the client that they belong to.
  tokens text not null,
  -- Null: the access token does not end.
  expires_at timestamptz,
  -- Null: the network does not renew the tokens.
  renew_at timestamptz,
  -- Counts renewals. A renewal is kept only if none was kept since it began.
  renewals integer not null default 0,
  -- Until then one node renews the tokens.
  leased_until timestamptz,
  -- The network no longer accepts the tokens.
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index oauth_grant_workspace on oauth_grant (workspace_id, id);
create index oauth_grant_renewal on oauth_grant (renew_at) where ended_at is null;
create index oauth_grant_end on oauth_grant (expires_at) where ended_at is null and renew_at is null;

alter table account add column grant_id uuid references oauth_grant on delete set null;
create index account_grant on account (grant_id) where grant_id is not null;

create type connection_status as enum ('waiting', 'choose', 'connected', 'failed');

-- Sign-in at a network that began in Meydan.
create table account_connection (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  user_id uuid not null references "user" on delete cascade,
  -- The session that began it; null: an API token did.
  session_id uuid,
  network text not null,
  status connection_status not null default 'waiting',
  -- SHA-256 of the state. Null since the network came back with it.
  state_hash text constraint account_connection_state_key unique,
  -- Sealed; null for networks without a code challenge.
  code_verifier text,
  -- Sealed JSON: tokens and candidates, until their owner has chosen.
  pending text,
  account_ids uuid[] not null default '{}',
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_connection_workspace on account_connection (workspace_id, id);
create index account_connection_user on account_connection (user_id);
create index account_connection_expiry on account_connection (expires_at);
