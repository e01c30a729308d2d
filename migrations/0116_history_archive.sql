-- Days of events and attempts that PostgreSQL keeps no longer, until the storage has their rows. They are in a schema of
-- their own: nothing reads them as a part of the history, and a backup leaves them out.
create schema history;

-- Takes the partitions that ended more than `kept` ago out of their tables. Nothing writes to them afterwards. As the
-- owner of the tables, so that the role that runs Meydan needs no right to change them; it may read what was taken out.
create function detach_partitions(moment timestamptz, kept interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  part text;
begin
  execute format('grant usage on schema history to %I', session_user);
  foreach parent in array array['event', 'attempt'] loop
    for part in select child.relname from pg_inherits
      join pg_class child on child.oid = inhrelid
      where inhparent = parent::regclass and child.relname ~ '_\d{8}$'
        and (to_date(right(child.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= moment - kept
    loop
      execute format('alter table %I detach partition %I', parent, part);
      execute format('alter table %I set schema history', part);
      execute format('grant select on history.%I to %I', part, session_user);
    end loop;
  end loop;
end $$;
revoke execute on function detach_partitions from public;

-- The same for rows of such days in the default partitions: those that came while their partition was missing, or after
-- it was taken out. Moves up to `many` rows of one day, and returns how many. Rows of a day that still waits for the
-- storage stay until it is done, so that a table of the schema never gets more rows.
create function detach_late_rows(moment timestamptz, kept interval, many integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before constant uuid := uuid_at(date_trunc('day', moment - kept, 'UTC'));
  parent text;
  key text;
  day date;
  part text;
  moved integer;
begin
  execute format('grant usage on schema history to %I', session_user);
  for parent, key in values ('event', 'id'), ('attempt', 'delivery_id') loop
    for day in execute format(
      'select distinct (uuid_extract_timestamp(%2$I) at time zone ''UTC'')::date from %1$I where %2$I < $1',
      parent || '_other', key) using before
    loop
      part := parent || '_' || to_char(day, 'YYYYMMDD');
      continue when to_regclass(format('history.%I', part)) is not null;
      execute format('create table history.%I (like %I including all)', part, parent);
      execute format('grant select on history.%I to %I', part, session_user);
      execute format(
        'with late as (
           delete from %1$I where ctid = any(array(select ctid from %1$I where %2$I >= $1 and %2$I < $2 limit $3))
           returning *
         ) insert into history.%3$I select * from late', parent || '_other', key, part)
        using uuid_at(day::timestamp at time zone 'UTC'), uuid_at((day + 1)::timestamp at time zone 'UTC'), many;
      get diagnostics moved = row_count;
      return moved;
    end loop;
  end loop;
  return 0;
end $$;
revoke execute on function detach_late_rows from public;

-- Drops a day that the storage has.
create function drop_detached(part text) returns void
language plpgsql security definer set search_path = history, pg_temp as $$
begin
  if part !~ '^(event|attempt)_\d{8}$' then
    raise exception 'no day of the history: %', part;
  end if;
  execute format('drop table history.%I', part);
end $$;
revoke execute on function drop_detached from public;
