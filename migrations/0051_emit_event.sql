-- Writes an event and its deliveries, and returns the webhooks that get one. Each statement of the function has a
-- snapshot of its own, so the one that finds webhooks sees them as of the end of the changes that the locks waited for.
-- `numbers`: the transaction has not numbered an event yet. One lock on a position is enough for all of its events,
-- because the lock table of PostgreSQL is small. `after_id`: the payload after the id. `names`: the type and `*`.
-- `aliases`: other names of the type. 7301009 is `events` in server/lib/db/locks.ts.
create function emit_event(of_workspace uuid, event_type text, after_id text, emitted_at timestamptz, names text[], aliases text[],
  numbers boolean) returns setof uuid language plpgsql as $$
declare
  new_id uuid;
begin
  perform pg_advisory_xact_lock_shared(7301009, hashtext(of_workspace::text));
  if numbers then
    perform pg_advisory_xact_lock_shared(advance_event_clock());
  end if;
  new_id := next_event_id();
  insert into event (id, workspace_id, type, payload, created_at)
    values (new_id, of_workspace, event_type, '{"id":"' || new_id || after_id, emitted_at);
  return query insert into delivery (event_id, webhook_id, state, type, run_at)
    select new_id, webhook.id, (case when active then 'waiting' else 'held' end)::delivery_state,
      case when events && names then event_type
        else (select name from unnest(events) as name where name = any(aliases) limit 1) end,
      emitted_at
    from webhook where team_id = of_workspace and events && (names || aliases)
    returning webhook_id;
end $$;
