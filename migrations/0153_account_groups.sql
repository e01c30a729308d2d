-- Accounts of a workspace under a name, to choose all of them at once.
create table account_group (
  id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  created_by uuid references "user" on delete set null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create unique index account_group_name_key on account_group (workspace_id, lower(name));
create index account_group_created_by on account_group (created_by) where created_by is not null;
create trigger account_group_version before update of updated_at on account_group
  for each row execute function next_version();

create table grouped_account (
  group_id uuid not null references account_group on delete cascade,
  account_id uuid not null references account on delete cascade,
  position integer not null,
  primary key (group_id, account_id)
);
create index grouped_account_account on grouped_account (account_id);
