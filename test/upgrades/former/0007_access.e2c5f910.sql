-- A version counts the changes that a reader of the record can see; its ETag is made from it. Columns that only count
-- or note a time are left out of the triggers below.
create function next_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

-- People: banned by an instance admin, and a second factor, whose table is better-auth's.
alter table "user"
  add column version integer not null default 1,
  add column two_factor_enabled boolean not null default false,
  add column banned_at timestamptz,
  add column ban_reason text;
create trigger user_version before update of email, name, locale, timezone, is_instance_admin, workspace_id,
  two_factor_enabled, banned_at, ban_reason on "user" for each row execute function next_version();

create table two_factor (
  id uuid primary key default uuidv7(),
  user_id uuid not null constraint two_factor_user_key unique references "user" on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The time step of the code that was accepted last: no code is good twice (RFC 6238, section 5.2).
  last_step bigint
);

-- When a session was last used, to the minute.
alter table session add column seen_at timestamptz;

-- A change of address that waits for both addresses to confirm it. The codes are hashed.
create table email_change (
  user_id uuid primary key references "user" on delete cascade,
  new_email text not null,
  old_code text not null,
  new_code text not null,
  attempts smallint not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

-- Workspaces: a deleted one is hidden, keeps its name and slug, and can be restored until it is erased.
alter table workspace
  add column version integer not null default 1,
  add column deleted_at timestamptz;
create index workspace_deleted on workspace (deleted_at) where deleted_at is not null;
create trigger workspace_version before update of name, slug, default_currency, locale, timezone, billing_address,
  plan_code, deleted_at on workspace for each row execute function next_version();

alter table workspace_member add column version integer not null default 1;
create trigger workspace_member_version before update of role on workspace_member
  for each row execute function next_version();

create type invitation_state as enum ('pending', 'accepted', 'revoked');
create table invitation (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  email text not null,
  role workspace_role not null,
  locale text not null,
  hashed_token text not null constraint invitation_token_key unique,
  state invitation_state not null default 'pending',
  invited_by uuid references "user" on delete set null,
  accepted_by uuid references "user" on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index invitation_workspace on invitation (workspace_id, id);
create unique index invitation_pending_key on invitation (workspace_id, email) where state = 'pending';

-- Tokens: an end, and after a rotation the former secret until the overlap is over.
alter table api_token
  add column expires_at timestamptz,
  add column rotated_at timestamptz,
  add column previous_hashed_token text,
  add column previous_expires_at timestamptz;

-- ETags of the other single records.
alter table account add column version integer not null default 1;
create trigger account_version before update of name, handle, url, status, status_detail, deleted_at on account
  for each row execute function next_version();
-- updated_at moves with every change of a post, those of its targets included.
alter table post add column version integer not null default 1;
create trigger post_version before update of updated_at on post for each row execute function next_version();
alter table webhook add column version integer not null default 1;
create trigger webhook_version before update of url, events, secret, active on webhook
  for each row execute function next_version();

-- What was answered to a call with an Idempotency-Key. lease_until: it is still running; status: it has ended.
create table idempotency_key (
  id bytea primary key,
  fingerprint bytea not null,
  status smallint,
  answer text,
  etag text,
  lease_until timestamptz,
  created_at timestamptz not null
);
create index idempotency_key_created on idempotency_key (created_at);

-- The audit log: read by workspace, or by what belongs to none; narrowed by actor and action.
create index audit_entry_actor on audit_entry (workspace_id, actor_id, id);
create index audit_entry_action on audit_entry (workspace_id, action, id);

-- Who erases a workspace or a person may blank what is personal in their entries, and nothing else.
drop trigger audit_entry_append_only on audit_entry;
create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and current_setting('meydan.blanking', true) = 'on'
    and new.ip is null and new.user_agent is null and new.details = '{}'
    and (new.id, new.at, new.action, new.target_id) is not distinct from (old.id, old.at, old.action, old.target_id)
    and (new.workspace_id, new.actor_id, new.token_id)
      is not distinct from (old.workspace_id, old.actor_id, old.token_id)
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function keep_audit_entry();
create trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function refuse_change();

-- The one way to change entries: address, user agent and details go, who did what and when stays.
create function blank_audit_entries(of_workspace uuid, of_actor uuid) returns void language plpgsql as $$
begin
  perform set_config('meydan.blanking', 'on', true);
  update audit_entry set ip = null, user_agent = null, details = '{}'
    where workspace_id = of_workspace or actor_id = of_actor;
  perform set_config('meydan.blanking', '', true);
end $$;
revoke update, delete, truncate on audit_entry from public;
