-- AI credits that an agent may use in a calendar month of its workspace. Null: only the limit of the plan.
alter table agent add column monthly_credits integer check (monthly_credits >= 1);
-- First days of the months in which members were last told about the budget: at 80 %, and when it was used up.
alter table agent add column budget_warned_on date;
alter table agent add column budget_reached_on date;

-- The agent that a generation was for, and the first day of the month of its budget in which it counts.
alter table ai_generation add column agent_id uuid references agent on delete set null;
alter table ai_generation add column agent_month date;
create index ai_generation_agent on ai_generation (agent_id, agent_month) include (credits) where agent_id is not null;
