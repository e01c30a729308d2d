-- When the first waiting step of a workspace may be taken; null if none waits. A search for the next step reads these rows in
-- the order of their turns, and not all runs that wait.
alter table agent_turn add column next_step_at timestamptz;
insert into agent_turn (workspace_id, turn, next_step_at)
  select workspace_id, 0, min(step_at) from agent_run where step_at is not null group by workspace_id
  on conflict (workspace_id) do update set next_step_at = excluded.next_step_at;
create index agent_turn_waiting on agent_turn (turn, workspace_id) where next_step_at is not null;
