-- The position of the latest event, in microseconds since 1970. It follows the clock of PostgreSQL forward and never goes
-- back with it: then it grows by one with each event. A restored backup moves on by the clock, so that no position is
-- given out twice.
create sequence event_clock;
select setval('event_clock', greatest(
  (extract(epoch from clock_timestamp()) * 1000000)::bigint,
  (select (extract(epoch from uuid_extract_timestamp(id)) * 1000000)::bigint + 1000 from event order by id desc limit 1)));

-- Moves the clock of events forward, and returns where it stands. One transaction at a time moves it (the number is
-- `eventClock` in server/lib/db/locks.ts), and only over ten milliseconds: too far for simultaneous calls of nextval to
-- get ahead of the move, which would be undone.
create function advance_event_clock() returns bigint language plpgsql as $$
declare
  moment bigint := extract(epoch from clock_timestamp()) * 1000000;
begin
  if (select last_value < moment - 10000 from event_clock) and pg_try_advisory_xact_lock(7301012) then
    perform setval('event_clock', moment) from event_clock where last_value < moment - 10000;
  end if;
  return (select last_value from event_clock);
end $$;

-- A UUIDv7 of a position. `rest` is its last 16 digits.
create function event_id(micros bigint, rest text) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(micros / 1000), 12, '0') || '7' || lpad(to_hex(micros % 1000 * 4096 / 1000), 3, '0') || rest)::uuid
$$;

create function next_event_id() returns uuid language sql volatile as $$
  select event_id(nextval('event_clock'), right(replace(gen_random_uuid()::text, '-', ''), 16))
$$;

-- The id below which no event of a workspace can be committed any more. Later events get positions after `reached`. An
-- open transaction that emits in the workspace holds the shared lock of its events (`events` in server/lib/db/locks.ts),
-- and a shared lock on a position that all of its events come after. Without the second one it is of a former version,
-- which takes ids from the clock, and nothing is certain until it ends.
create function event_horizon(of_workspace uuid) returns uuid language plpgsql as $$
declare
  reached bigint := advance_event_clock();
begin
  return event_id(least(reached, (
    select min(after) from (
      select coalesce(max((classid::bigint << 32) | objid::bigint) filter (where objsubid = 1), 0) as after
      from pg_locks
      where locktype = 'advisory' and mode = 'ShareLock' and granted
        and database = (select oid from pg_database where datname = current_database())
      group by virtualtransaction
      having bool_or(objsubid = 2 and classid::bigint = 7301009
        and objid::bigint = hashtext(of_workspace::text)::bigint & 4294967295)
    ) as emitting)) + 1, '0000000000000000');
end $$;
