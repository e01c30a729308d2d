-- App that a workspace registered at a network. Its accounts sign in with it, and not with that of the instance in
-- network_app. It is in a table of its own, so that no node of a former version uses it for another workspace. Id and
-- secret are sealed.
create table workspace_network_app (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  network text not null,
  client_id text not null,
  client_secret text not null,
  last4 text,
  -- The last refusal of id or secret by the network; null since it accepted them.
  refused_at timestamptz,
  refused_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  constraint workspace_network_app_key unique (workspace_id, network)
);
create trigger workspace_network_app_version before update of updated_at on workspace_network_app
  for each row execute function next_version();

-- The sign-in began with the app of the workspace.
alter table account_connection add column with_own_app boolean not null default false;
