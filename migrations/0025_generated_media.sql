-- What a generation makes is a file of the workspace. A row without one has its bytes itself: it was made before, or
-- could not be kept.
alter table ai_file add column media_id uuid references media on delete cascade;
create index ai_file_media on ai_file (media_id);
