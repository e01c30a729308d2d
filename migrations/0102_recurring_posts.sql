-- Posts that are created again and again by a recurrence rule (RFC 5545).
create table recurring_post (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  -- Occurrences are created in the name of this member.
  author_id uuid references "user" on delete set null,
  rule text not null,
  -- Date and time of the first occurrence on the clocks of `timezone`, such as 2026-12-01T09:30.
  starts_at text not null,
  timezone text not null,
  -- What is published, each in its turn.
  variants jsonb not null,
  labels text[] not null default '{}',
  -- The files of all variants.
  media_ids uuid[] not null default '{}',
  -- Index of the variant of the next occurrence.
  next_variant smallint not null default 0,
  -- The first occurrence that is neither created nor skipped. Null: there is none.
  next_at timestamptz,
  -- From then on the job creates it. Null while paused, and when there is none.
  due_at timestamptz,
  -- Why it could not be created yet.
  waiting_reason text,
  waiting_detail text,
  paused_at timestamptz,
  pause_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create trigger recurring_post_version before update of updated_at on recurring_post
  for each row execute function next_version();
create index recurring_post_workspace on recurring_post (workspace_id, id);
create index recurring_post_author on recurring_post (author_id);
create index recurring_post_due on recurring_post (due_at) where due_at is not null;
create index recurring_post_media on recurring_post using gin (media_ids);

alter table post add column recurring_post_id uuid references recurring_post on delete set null;
create index post_recurring on post (recurring_post_id) where recurring_post_id is not null;

create type occurrence_status as enum ('created', 'skipped');

-- What became of an occurrence. The constraint creates each once, on any number of nodes.
create table post_occurrence (
  id uuid primary key default uuidv7(),
  recurring_post_id uuid not null references recurring_post on delete cascade,
  occurs_at timestamptz not null,
  status occurrence_status not null,
  variant smallint not null,
  -- Null when skipped, or when the post was erased.
  post_id uuid references post on delete set null,
  reason text,
  detail text,
  created_at timestamptz not null,
  constraint post_occurrence_key unique (recurring_post_id, occurs_at)
);
create index post_occurrence_list on post_occurrence (recurring_post_id, id);
create index post_occurrence_post on post_occurrence (post_id) where post_id is not null;
