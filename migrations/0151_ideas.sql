-- Posts that are only ideas: drafts of which nothing is checked, without a time.
alter table post add column is_idea boolean not null default false;
create index post_idea on post (workspace_id, id) where is_idea and deleted_at is null;

-- What gives an idea a time or asks for its approval makes it a post, also a node of an earlier version.
create function end_idea() returns trigger language plpgsql as $$
begin
  new.is_idea := false;
  return new;
end
$$;
create trigger post_end_idea before insert or update of is_idea, status, scheduled_at, review on post
  for each row when (new.is_idea and (new.status <> 'draft' or new.scheduled_at is not null or new.review <> 'none'))
  execute function end_idea();
