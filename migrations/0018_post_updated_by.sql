-- Names who changed a post last, so that a conflict can say whose change it was.
alter table post add column updated_by_id uuid references "user" on delete set null;
-- Found when that user is deleted.
create index post_updated_by on post (updated_by_id) where updated_by_id is not null;
