-- Files that a post has in any of its parts, on any account. A file that is deleted meanwhile is not found.
create table post_media (
  media_id uuid not null,
  post_id uuid not null references post on delete cascade,
  primary key (media_id, post_id)
);
create index post_media_post on post_media (post_id);
