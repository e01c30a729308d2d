-- A paused account publishes nothing. plan: paused because the plan allows fewer accounts.
create type account_pause as enum ('member', 'plan');
alter table account add column paused_by account_pause;
create index account_paused_by_plan on account (workspace_id) where paused_by = 'plan';

-- Workspaces that have more of something than their plan allows, since the limit was lowered.
create table limit_excess (
  workspace_id uuid not null references workspace on delete cascade,
  meter text not null,
  since timestamptz not null,
  primary key (workspace_id, meter)
);
create index limit_excess_since on limit_excess (meter, since);
