-- What is to be published, by its time, across workspaces.
create index post_due on post (scheduled_at) where status in ('scheduled', 'publishing') and deleted_at is null;
