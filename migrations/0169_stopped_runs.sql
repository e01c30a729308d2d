-- In a transaction of its own: nodes of a former version lock runs before the turns of workspaces.

-- The agent was stopped after this run: its posts that nobody decided about are not begun to be published until all of
-- them are held.
alter table agent_run add column is_stopped boolean not null default false;

create index agent_run_step_at on agent_run (workspace_id, step_at) where step_at is not null;
