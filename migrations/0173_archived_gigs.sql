-- The owner put the gig away. It is not published, and left out of the list of the owner's gigs.
alter table gig add column archived_at timestamptz;
