-- Secret addresses by which the calendar program of a member shows the posts of a workspace.
create table calendar_feed (
  id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  user_id uuid not null references "user" on delete cascade,
  name text not null,
  -- `v1$<key id>$<salt>$<HMAC-SHA256>` with a key of the purpose `calendar_feed`. The secret itself is in the address.
  hashed_secret text not null,
  -- Shows posts on one of these. Empty: on any account.
  account_ids uuid[] not null default '{}',
  -- Shows posts that have one of these. Empty: also posts without labels.
  labels text[] not null default '{}',
  shows_unapproved boolean not null,
  shows_text boolean not null,
  -- Written at most once a minute.
  last_read_at timestamptz,
  created_at timestamptz not null
);
create index calendar_feed_member on calendar_feed (workspace_id, user_id, id);
create index calendar_feed_user on calendar_feed (user_id);
