-- Kinds of snippets. A template is a whole post: it also has accounts, labels and a first comment.
alter table snippet
  add column kind text not null default 'text' check (kind in ('text', 'hashtags', 'template')),
  -- Removed accounts stay in the array, and are left out when it is read.
  add column account_ids uuid[] not null default '{}',
  add column labels text[] not null default '{}',
  add column first_comment text;

-- Names that snippets have in place of values. An array of objects with `name` and `value`.
create table workspace_variables (
  workspace_id uuid primary key references workspace on delete cascade,
  variables jsonb not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create trigger workspace_variables_version before update of updated_at on workspace_variables
  for each row execute function next_version();
