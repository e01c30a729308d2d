-- Rules of agents for their texts: learned from the reasons of rejections, or written by members.
create table agent_rule (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  agent_id uuid not null references agent on delete cascade,
  text text not null check (text <> ''),
  is_enabled boolean not null default true,
  -- The reason that it was learned from, also once its text was changed. Null: a member wrote it.
  reason text,
  -- The rejected post. Null: none, or it was erased.
  post_id uuid references post on delete set null,
  -- The client who gave the reason. Null: it was a member.
  client_name text,
  -- The member who wrote it or gave the reason. Null: a client, or a user who no longer exists.
  created_by_id uuid references "user" on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create unique index agent_rule_text_key on agent_rule (agent_id, lower(text));
create index agent_rule_agent on agent_rule (agent_id, id);
create index agent_rule_workspace on agent_rule (workspace_id);
create index agent_rule_post on agent_rule (post_id) where post_id is not null;
create index agent_rule_created_by on agent_rule (created_by_id) where created_by_id is not null;
create trigger agent_rule_version before update of updated_at on agent_rule
  for each row execute function next_version();

-- The reasons that runs were given until now: the last ten of each agent. Those of clients wait for an editor.
insert into agent_rule (workspace_id, agent_id, text, is_enabled, reason, post_id, client_name, created_by_id,
  created_at, updated_at)
select workspace_id, agent_id, text, client_name is null, reason, post_id, client_name, user_id, updated_at, updated_at
from (
  select run.workspace_id, run.agent_id, said.text, item.reason, item.post_id, item.updated_at,
    decision.client_name, decision.user_id, row_number() over (partition by run.agent_id order by item.updated_at desc) as n
  from agent_item as item
  join agent_run as run on run.id = item.run_id
  cross join left(btrim(regexp_replace(item.reason, '\s+', ' ', 'g')), 500) as said (text)
  left join lateral (
    select d.client_name, d.user_id from review_decision as d
    where d.post_id = item.post_id and d.decision = 'rejected' order by d.id desc limit 1
  ) as decision on true
  where item.status = 'rejected' and said.text <> ''
) as rejected
where n <= 10
order by agent_id, updated_at desc
on conflict do nothing;

update agent_item set asked = (asked - 'rejections') || jsonb_build_object('rules', asked -> 'rejections')
where asked ? 'rejections';
