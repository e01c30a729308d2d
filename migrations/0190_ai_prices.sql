-- What the provider of a model charges, in millionths of a US dollar: for a million tokens, an image, a second of video.
-- Null: not known.
alter table ai_model add column input_price integer check (input_price >= 0);
alter table ai_model add column output_price integer check (output_price >= 0);
alter table ai_model add column image_price integer check (image_price >= 0);
alter table ai_model add column video_second_price integer check (video_second_price >= 0);

-- What a generation costs, in millionths of a US dollar: the most that it may cost while it runs. Null: of a model without
-- prices.
alter table ai_generation add column cost bigint check (cost >= 0);
-- Whether the cost does not follow from usage that the provider reported.
alter table ai_generation add column is_cost_estimated boolean not null default false;
drop index ai_generation_agent;
create index ai_generation_agent on ai_generation (agent_id, agent_month) include (credits, cost, state)
  where agent_id is not null;

-- Cost of the generations of a run.
alter table agent_run add column cost bigint not null default 0;
alter table agent_run add column is_cost_estimated boolean not null default false;

-- What the models of an agent may cost in a calendar month of its workspace, in millionths of a US dollar.
alter table agent add column monthly_spend_limit bigint check (monthly_spend_limit >= 1);
-- First days of the months in which members were last notified of it: at 80 %, and when it was used up.
alter table agent add column spend_warned_on date;
alter table agent add column spend_reached_on date;
