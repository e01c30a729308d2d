-- The time of the schedule that a run is for. Null for runs by hand, and for those before this version.
alter table agent_run add column due_at timestamptz;
