-- A deleted post can be restored for a day; then it is erased.
alter table post add column deleted_at timestamptz;
create index post_deleted on post (deleted_at) where deleted_at is not null;

-- With the id, so that the posts of a span of time are found in the index alone. post_workspace stays whole: what
-- refers to workspace is looked up in it when one goes.
drop index post_scheduled;
create index post_scheduled on post (workspace_id, scheduled_at, id) where deleted_at is null;
create index post_updated on post (workspace_id, updated_at, id) where deleted_at is null;

-- When each account was last published on is the end of this index.
drop index post_target_account;
create index post_target_account on post_target (account_id, published_at);

-- When the network was last asked whether it still accepts the credentials.
alter table account add column checked_at timestamptz;

alter table workspace_member add column checklist_dismissed boolean not null default false;

-- Sign-in pages ask whether there is one.
create index user_instance_admin on "user" (id) where is_instance_admin;
