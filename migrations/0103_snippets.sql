-- Texts that members insert into posts, such as sets of hashtags.
create table snippet (
  id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  created_by uuid references "user" on delete set null,
  name text not null,
  content text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create unique index snippet_name_key on snippet (workspace_id, lower(name));
create index snippet_created_by on snippet (created_by) where created_by is not null;
create trigger snippet_version before update of updated_at on snippet
  for each row execute function next_version();
