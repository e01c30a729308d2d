-- The queue of an account can be paused by itself: its posts wait in their order, and get other times when it is resumed.
alter type post_hold add value 'queue_paused';
alter table account add column queue_paused_at timestamptz;

-- A post whose time the queue chose is held while the queue of one of its accounts is paused, whatever schedules it. Runs
-- after `post_hold_end`. The lock on the accounts lets it wait for a pause that is not committed yet.
create function hold_in_paused_queue() returns trigger language plpgsql as $$
begin
  perform from account where id in (select account_id from post_target where post_id = new.id) order by id for share;
  if exists (select from post_target t join account a on a.id = t.account_id
      where t.post_id = new.id and a.queue_paused_at is not null and a.deleted_at is null) then
    new.held = 'queue_paused';
  end if;
  return new;
end $$;
create trigger post_hold_queue before update of status, scheduled_at, queued_for, held, deleted_at on post for each row
  when (new.status = 'scheduled' and new.held is null and new.queued_for = new.scheduled_at and new.deleted_at is null)
  execute function hold_in_paused_queue();

-- The targets of a post are written after it.
create function hold_with_target() returns trigger language plpgsql as $$
begin
  -- An array is looked up by the index; a join with rows that have no statistics would read all posts.
  update post set held = null where id = any(array(select post_id from added))
    and status = 'scheduled' and held is null and queued_for = scheduled_at;
  return null;
end $$;
create trigger post_target_hold after insert on post_target referencing new table as added
  for each statement execute function hold_with_target();
