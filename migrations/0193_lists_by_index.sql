-- Posts of a period that an approval would plan.
create index post_unplanned on post (workspace_id, review_scheduled_at, id)
  where review_scheduled_at is not null and scheduled_at is null and deleted_at is null;
-- Archived gigs are few among those of a seller with many workspaces.
create index gig_archived on gig (owner_id, workspace_id, id) where archived_at is not null;
