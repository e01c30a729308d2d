-- Comments of members on a post. Only members of the workspace see them.
create table post_comment (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  post_id uuid not null references post on delete cascade,
  -- The comment that it replies to, which is not a reply itself.
  parent_id uuid references post_comment on delete cascade,
  author_id uuid references "user" on delete set null,
  -- Plain text. A mention is `@[<id of the user>]`. Null: deleted, and kept for its replies.
  body text check (char_length(body) between 1 and 4000),
  edited_at timestamptz,
  -- Set on a comment that is not a reply, for its thread.
  resolved_at timestamptz,
  resolved_by_id uuid references "user" on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  check (parent_id is null or resolved_at is null)
);
create index post_comment_post on post_comment (post_id, id);
create index post_comment_parent on post_comment (parent_id) where parent_id is not null;
create index post_comment_author on post_comment (author_id) where author_id is not null;
create index post_comment_resolved_by on post_comment (resolved_by_id) where resolved_by_id is not null;
create index post_comment_workspace on post_comment (workspace_id);
create trigger post_comment_version before update of updated_at on post_comment
  for each row execute function next_version();

-- Finds the notifications of a cause by the beginning of their key, in the order of bytes whatever the database's collation.
create index notification_event_cause on notification_event (dedupe_key collate "C");
