-- A deleted post can be restored for a day; then it is erased.
alter table post add column deleted_at timestamptz;
create index post_deleted on post (deleted_at) where deleted_at is not null;
create index post_deleted_since on post (workspace_id, deleted_at, id) where deleted_at is not null;

-- With the id, so that the posts of a span of time are found in the index alone. post_workspace stays whole: what
-- refers to workspace is looked up in it when one goes.
drop index post_scheduled;
create index post_scheduled on post (workspace_id, scheduled_at, id) include (status) where deleted_at is null;
create index post_updated on post (workspace_id, updated_at, id) include (status) where deleted_at is null;
create index post_status on post (workspace_id, status, id) where deleted_at is null;
create index post_published on post (workspace_id) where published_at is not null and deleted_at is null;

-- A text as searches see it: one form of each letter, and a single i for the four of Turkish. The collation is named,
-- because that of the database may know no letter but a to z.
create function folded(content text) returns text immutable strict parallel safe language sql
  return replace(casefold(translate(normalize(content, NFC), 'ıIİ', 'iii') collate pg_unicode_fast), U&'i\0307', 'i')
    collate "C";
-- Kept, because to fold every text again takes seconds; its beginning, and beside the row (main) rather than with the
-- long texts, because to fetch those takes as long.
alter table post add column search_text text storage main collate "C"
  generated always as (folded(left(content, 5000))) stored;

-- When each account was last published on is the end of this index.
drop index post_target_account;
create index post_target_account on post_target (account_id, published_at);

-- When the network was last asked whether it still accepts the credentials.
alter table account add column checked_at timestamptz;

alter table workspace_member add column checklist_dismissed boolean not null default false;

-- Sign-in pages ask whether there is one.
create index user_instance_admin on "user" (id) where is_instance_admin;
