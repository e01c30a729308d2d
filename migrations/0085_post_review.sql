create type post_review as enum ('none', 'pending', 'approved', 'rejected');

-- A post that is pending or rejected is a draft, and is not scheduled until it is approved.
alter table post add column review post_review not null default 'none';
alter table post add column review_reason text;
-- The time for which approving schedules the post.
alter table post add column review_scheduled_at timestamptz;
create index post_review on post (workspace_id, review, id) where review <> 'none' and deleted_at is null;
