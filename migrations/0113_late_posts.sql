-- Times in which no node did jobs, from the heartbeats of all nodes. A post that became due then is late.
create table worker_activity (
  id boolean primary key default true check (id),
  seen_at timestamptz not null default now()
);
create table worker_outage (
  id bigint generated always as identity primary key,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  check (began_at < ended_at)
);

create type post_hold as enum ('late');
alter table post add column held post_hold;
create index post_held on post (workspace_id, held, id) where held is not null and deleted_at is null;

-- A person who gives a held post another time or status has decided about it.
create function end_post_hold() returns trigger language plpgsql as $$
begin
  new.held = null;
  return new;
end $$;
create trigger post_hold_end before update of status, scheduled_at on post for each row
  when (old.held is not null and (new.status <> 'scheduled' or new.scheduled_at is distinct from old.scheduled_at))
  execute function end_post_hold();

-- Choices of a release that has begun: it goes on with these, and no other release begins.
alter table installation_hold add column release jsonb;
