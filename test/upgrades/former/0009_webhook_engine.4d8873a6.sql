-- The smallest UUIDv7 of a time: what was made before it sorts below, what was made since sorts above.
create function uuid_at(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Webhooks: what is sent along, a secret that still counts after a rotation, and why one is disabled. headers and both
-- secrets are sealed; header_names may be shown.
create type webhook_disabled_reason as enum ('manual', 'failing', 'gone');
alter table webhook
  add column description text,
  add column headers text,
  add column header_names text[] not null default '{}',
  add column previous_secret text,
  add column previous_secret_expires_at timestamptz,
  add column disabled_reason webhook_disabled_reason,
  add column disabled_at timestamptz;
drop trigger webhook_version on webhook;
create trigger webhook_version before update of url, events, active, description, headers, header_names, secret,
  previous_secret, previous_secret_expires_at, disabled_reason, disabled_at on webhook
  for each row execute function next_version();

-- A run of failures begins with first_failure_at and ends with a success, which sets all of these back. exhausted:
-- deliveries that ran out of attempts in it; circuit_opened: how often the circuit opened in it; circuit_until: when the
-- next probe may go, null while the circuit is closed; warned: mails sent about it. last_failed_delivery stays after a
-- success, as last_failure_at does.
alter table webhook_health
  add column first_failure_at timestamptz,
  add column exhausted integer not null default 0,
  add column circuit_opened integer not null default 0,
  add column circuit_until timestamptz,
  add column warned smallint not null default 0,
  add column last_failed_delivery uuid;

-- Attempts by hour. Counted in the processes and added once a second: what a killed process had not yet added is lost.
create table webhook_stat (
  webhook_id uuid not null references webhook on delete cascade,
  hour timestamptz not null,
  delivered integer not null default 0,
  failed integer not null default 0,
  duration_ms bigint not null default 0,
  primary key (webhook_id, hour)
) with (fillfactor = 70);

-- Events and attempts go by the day, whole partitions at a time. Both are cut by ids, which are UUIDv7 and so carry the
-- time: an id alone leads to its partition.
alter table event rename to event_before;
alter table event_before rename constraint event_pkey to event_before_pkey;
alter index event_workspace rename to event_before_workspace;
-- payload is what is signed and sent, to the byte: text in a database of UTF-8 is kept as it is.
create table event (
  id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  type text not null,
  payload text not null,
  created_at timestamptz not null
) partition by range (id);
create index event_workspace on event (workspace_id, id);
create table event_other partition of event default;

alter table delivery rename to delivery_before;
alter table delivery_before rename constraint delivery_pkey to delivery_before_pkey;
alter index delivery_due rename to delivery_before_due;
alter index delivery_leased rename to delivery_before_leased;
alter index delivery_event rename to delivery_before_event;

-- What is still to be sent (waiting), was kept while the webhook was disabled (held), or ran out of attempts (failed).
-- What was delivered is not here, only in attempt. A waiting row is the job itself: who claims it writes claim_id and
-- moves run_at to the end of the lease, so it is due again by itself when the worker is gone. step: how far in the
-- schedule; attempts: how many in all. No foreign keys: a webhook with a million of these is deleted at once, and
-- partitions of events are dropped; rows that lost theirs are cleared away by the hour.
create type delivery_state as enum ('waiting', 'held', 'failed');
create type attempt_trigger as enum ('schedule', 'retry', 'recover', 'test');
create table delivery (
  id uuid not null default uuidv7(),
  webhook_id uuid not null,
  event_id uuid not null,
  type text not null,
  state delivery_state not null default 'waiting',
  step smallint not null default 0,
  attempts smallint not null default 0,
  trigger attempt_trigger not null default 'schedule',
  run_at timestamptz not null,
  claim_id uuid,
  primary key (webhook_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index delivery_due on delivery (webhook_id, run_at) where state = 'waiting';
-- What is held or failed, and below the tests that failed, is found without a look at all the rest. Neither index has an
-- entry of what is simply delivered.
create index delivery_kept on delivery (webhook_id, state, id) where state <> 'waiting';

-- done: this attempt ended the delivery well, or was a test. Of a delivery that is sent again by hand it is taken back.
create table attempt (
  webhook_id uuid not null,
  delivery_id uuid not null,
  n smallint not null,
  event_id uuid not null,
  type text not null,
  trigger attempt_trigger not null,
  at timestamptz not null,
  ok boolean not null,
  done boolean not null,
  status smallint,
  duration_ms integer not null,
  response text,
  error text,
  primary key (webhook_id, delivery_id, n)
) partition by range (delivery_id);
create index attempt_failed_test on attempt (webhook_id, delivery_id) where done and not ok;
create table attempt_other partition of attempt default;

-- Makes the partitions of the days around `moment` and drops those that ended more than `kept` ago. As the owner of the
-- tables, so that the role that runs Meydan needs no right to change them. What finds no partition of its day goes to
-- the default one; of a day that has rows there already none is made.
create function keep_partitions(moment timestamptz, kept interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  part text;
  day date;
begin
  foreach parent in array array['event', 'attempt'] loop
    for day in select generate_series((moment at time zone 'UTC')::date - 1, (moment at time zone 'UTC')::date + 14, interval '1 day') loop
      part := parent || '_' || to_char(day, 'YYYYMMDD');
      continue when to_regclass(part) is not null;
      begin
        execute format('create table %I (like %I including all)', part, parent);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
          uuid_at(day::timestamp at time zone 'UTC'), uuid_at((day + 1)::timestamp at time zone 'UTC'));
      exception when check_violation then null;
      end;
    end loop;
    for part in select child.relname from pg_inherits
      join pg_class child on child.oid = inhrelid
      where inhparent = parent::regclass and child.relname ~ '_\d{8}$'
        and (to_date(right(child.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= moment - kept
    loop
      execute format('drop table %I', part);
    end loop;
  end loop;
  delete from event_other where id < uuid_at(moment - kept);
  delete from attempt_other where delivery_id < uuid_at(moment - kept);
end $$;
revoke execute on function keep_partitions from public;
select keep_partitions(now(), interval '30 days');

insert into event (id, workspace_id, type, payload, created_at)
  select id, workspace_id, type, convert_from(payload, 'UTF8'), created_at from event_before
  where id >= uuid_at(now() - interval '30 days');
insert into delivery (webhook_id, event_id, type, step, attempts, run_at)
  select webhook_id, event_id, type, attempt, attempt, run_at from delivery_before;
drop table delivery_before;
drop table event_before;
