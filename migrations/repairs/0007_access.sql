alter table "user" add column if not exists sign_up_contested boolean not null default false;
alter table keyring add column if not exists active_at timestamptz not null default now();

create index if not exists user_workspace on "user" (workspace_id) where workspace_id is not null;
create index if not exists webhook_user on webhook (user_id, id);
create index if not exists invitation_inviter on invitation (invited_by, id);
create index if not exists invitation_guest on invitation (accepted_by, id);
create index if not exists playground_post_account on playground_post (account_id);

do $$
begin
  -- 0008 creates these indexes since.
  if not exists (select from migration where name = '0008_indexes.sql') then
    drop index if exists audit_entry_actor, audit_entry_action, audit_entry_instance, audit_entry_instance_actor,
      audit_entry_instance_action;
  end if;
  -- 0009 creates this trigger anew.
  if not exists (select from migration where name = '0009_webhook_engine.sql') then
    create or replace trigger webhook_version before update of url, events, active on webhook
      for each row execute function next_version();
  end if;
end $$;

create or replace function blank_audit_entries(of_workspace uuid, of_actor uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
begin
  perform set_config('meydan.blanking', 'on', true);
  update audit_entry set ip = null, user_agent = null, details = '{}'
    where (workspace_id = of_workspace or actor_id = of_actor)
      and (ip is not null or user_agent is not null or details <> '{}');
  perform set_config('meydan.blanking', '', true);
end $$;
revoke execute on function blank_audit_entries from public;

create or replace function grant_runtime(role_name name) returns void language plpgsql as $$
declare
  part name;
  guarded name;
begin
  foreach part in array array['public', 'graphile_worker']::name[] loop
    execute format('grant usage on schema %I to %I', part, role_name);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', part, role_name);
    execute format('grant usage, select, update on all sequences in schema %I to %I', part, role_name);
    execute format('grant execute on all functions in schema %I to %I', part, role_name);
  end loop;
  -- The job runner guards its tables by row, and names nobody who may pass.
  for guarded in select relname from pg_class
    where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
  loop
    execute format('drop policy if exists %I on graphile_worker.%I', 'meydan_' || role_name, guarded);
    execute format('create policy %I on graphile_worker.%I to %I using (true) with check (true)',
      'meydan_' || role_name, guarded, role_name);
  end loop;
  execute format('revoke update, delete, truncate on audit_entry from %I', role_name);
  execute format('revoke insert, update, delete on migration from %I', role_name);
  execute format('revoke execute on function grant_runtime from %I', role_name);
end $$;
revoke execute on function grant_runtime from public;
