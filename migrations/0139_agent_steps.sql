-- The next step of a run: when it may be taken, and its place among those of its workspace. Null while a worker takes it,
-- and after the end of the run.
create sequence agent_step_order;
alter table agent_run add column step_at timestamptz;
alter table agent_run add column step_order bigint;
-- The job that takes the step. When its worker dies it runs again, and goes on with this run.
alter table agent_run add column step_job bigint;
-- A run that a worker holds waits again when its lease has ended.
update agent_run set step_at = now(), step_order = nextval('agent_step_order')
  where status = 'queued' or (status = 'running' and (lease_until is null or lease_until < now()));
create index agent_run_waiting on agent_run (workspace_id, step_order) where step_at is not null;
create index agent_run_claimed on agent_run (workspace_id) where step_at is null and status in ('queued', 'running');

-- When each workspace had its last turn, by a number that grows with each.
create table agent_turn (
  workspace_id uuid primary key references workspace on delete cascade,
  turn bigint not null
);
