-- The same as `emit_event` for many events of one type, which get their ids in the order of the list.
create function emit_events(of_workspace uuid, event_type text, after_ids text[], emitted_at timestamptz, names text[],
  aliases text[], numbers boolean) returns setof uuid language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7301009, hashtext(of_workspace::text));
  if numbers then
    perform pg_advisory_xact_lock_shared(advance_event_clock());
  end if;
  return query with emitted as (
    insert into event (id, workspace_id, type, payload, created_at)
    select new_id, of_workspace, event_type, '{"id":"' || new_id || after_id, emitted_at
    -- Not inlined, so that each event has one id.
    from (select next_event_id() as new_id, after_id from unnest(after_ids) as after_id offset 0) as numbered
    returning id
  )
  insert into delivery (event_id, webhook_id, state, type, run_at)
  select emitted.id, webhook.id, (case when active then 'waiting' else 'held' end)::delivery_state,
    case when events && names then event_type
      else (select name from unnest(events) as name where name = any(aliases) limit 1) end,
    emitted_at
  from emitted cross join webhook where team_id = of_workspace and events && (names || aliases)
  returning webhook_id;
end $$;
