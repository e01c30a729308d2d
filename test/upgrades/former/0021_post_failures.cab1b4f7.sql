-- Posts that failed, for the mail to their author. mailed_at is null until the author was mailed.
create table post_failure (
  post_id uuid primary key references post on delete cascade,
  workspace_id uuid not null references workspace on delete cascade,
  user_id uuid not null references "user" on delete cascade,
  failed_at timestamptz not null,
  mailed_at timestamptz
);
create index post_failure_user on post_failure (user_id, workspace_id, mailed_at);
create index post_failure_workspace on post_failure (workspace_id);

alter table "user" add column mail_post_failures boolean not null default true;

create index post_failed on post (workspace_id, scheduled_at)
  where status in ('failed', 'partially_published') and deleted_at is null;
