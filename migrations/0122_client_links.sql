-- Links by which a client of the workspace reviews posts without an account. Never deleted, only revoked.
create table client_link (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  created_by uuid references "user" on delete set null,
  name text not null,
  -- `v1$<key id>$<HMAC-SHA256>` with a key of the purpose `client_link`. The secret itself is in the fragment of the link.
  hashed_secret text not null,
  -- Days in `timezone`, both included.
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  timezone text not null,
  -- Shows posts on no other accounts. Empty: on any account.
  account_ids uuid[] not null default '{}',
  -- Shows posts that have one of these. Empty: also posts without labels.
  labels text[] not null default '{}',
  may_decide boolean not null default true,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- The last time that its secret was exchanged for a session.
  opened_at timestamptz,
  created_at timestamptz not null
);
create index client_link_workspace on client_link (workspace_id, id);
create index client_link_created_by on client_link (created_by) where created_by is not null;

-- Browsers that exchanged the secret of a link. Each is valid for as long as the link.
create table client_link_session (
  id uuid primary key default uuidv7(),
  client_link_id uuid not null references client_link on delete cascade,
  hashed_token text not null,
  created_at timestamptz not null,
  constraint client_link_session_token unique (hashed_token)
);
create index client_link_session_link on client_link_session (client_link_id, id);

-- The link by which a client decided, and its name at that time. No foreign key: decisions move with a workspace to
-- another installation, links do not.
alter table review_decision add column client_link_id uuid;
alter table review_decision add column client_name text;
create index review_decision_client_link on review_decision (client_link_id) where client_link_id is not null;
