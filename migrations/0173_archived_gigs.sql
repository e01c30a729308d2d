-- The owner put the gig away. It is not published, and left out of the list of the owner's gigs.
alter table gig add column archived_at timestamptz;
alter table gig add constraint gig_archived check (archived_at is null or status <> 'published');
