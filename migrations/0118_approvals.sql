-- Who must approve posts: the default of a workspace (without an account), or the policy of one account in its place.
create table approval_policy (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid references account on delete cascade,
  mode text not null check (mode in ('none', 'one', 'steps')),
  -- Whether approvers may approve posts that they wrote.
  own_posts boolean not null default false,
  -- Each {need, role, user_ids}, in their order. Empty for the mode `none`.
  steps jsonb not null default '[]',
  -- What becomes of posts whose time comes before they are approved. That of the default is for all accounts.
  when_unapproved text not null default 'wait' check (when_unapproved in ('wait', 'next_slot', 'expire')),
  updated_at timestamptz not null default now(),
  constraint approval_policy_key unique nulls not distinct (workspace_id, account_id),
  check ((mode = 'none') = (steps = '[]'))
);
create index approval_policy_account on approval_policy (account_id) where account_id is not null;

-- Decisions on posts. Rows are never changed.
create table review_decision (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  post_id uuid not null references post on delete cascade,
  decision text not null check (decision in ('approved', 'rejected')),
  reason text,
  -- What the decision is about: see `post_content_hash`.
  content_hash text not null,
  -- The step that it counted for, from 1.
  step smallint not null,
  -- Null: Meydan, or a user who no longer exists.
  user_id uuid references "user" on delete set null,
  -- The role at that time.
  role text,
  -- Null for a session.
  token_id uuid,
  decided_at timestamptz not null
);
create index review_decision_post on review_decision (post_id, id);
create index review_decision_workspace on review_decision (workspace_id);
create index review_decision_user on review_decision (user_id) where user_id is not null;

-- What the approval is for: the content, and the policies that it met. Null for one by an earlier version of Meydan.
alter table post add column approved_content text;
alter table post add column approved_policies jsonb;
-- The planned time that passed without an approval, once that was dealt with.
alter table post add column review_missed_for timestamptz;
-- Whether its author and approvers are to be mailed about that.
alter table post add column review_missed_mail boolean not null default false;
create index post_review_due on post (review_scheduled_at)
  where review = 'pending' and deleted_at is null and review_scheduled_at is not null;
-- Times that passed before this version are no news.
update post set review_missed_for = review_scheduled_at where review = 'pending' and review_scheduled_at <= now();
create index post_review_missed_mail on post (workspace_id) where review_missed_mail;

-- All of these are volatile: they read what is committed when they run, after the row of the post was locked.

-- A hash of all that readers see of a post, and of the accounts on which they see it. A column that is not in it is
-- listed with the reason in the test of this function.
create function post_content_hash(post_id uuid) returns text language sql as $$
  select encode(sha256(convert_to(jsonb_build_object(
    'content', post.content,
    'media_ids', post.media_ids,
    'thread', post.thread,
    'first_comment', post.first_comment,
    'targets', (
      select jsonb_agg(jsonb_build_object('account_id', t.account_id, 'content', t.content, 'media_ids', t.media_ids,
        'thread', t.thread, 'first_comment', t.first_comment, 'options', t.options) order by t.account_id)
      from post_target t where t.post_id = post.id),
    'media', (
      select jsonb_agg(jsonb_build_object('id', m.id, 'alt', m.alt,
        'name', case when m.kind = 'document' then m.name end) order by m.id)
      from post_media pm join media m on m.id = pm.media_id where pm.post_id = post.id)
  )::text, 'UTF8')), 'hex')
  from post where post.id = $1
$$;

-- The policy of an account: its own, or else the default. Null if its posts need no approval.
create function approval_policy_of(workspace_id uuid, account_id uuid) returns jsonb language sql as $$
  select case when p.mode <> 'none' then jsonb_build_object('own_posts', p.own_posts, 'steps', p.steps) end
  from approval_policy p
  where p.workspace_id = $1 and (p.account_id = $2 or p.account_id is null)
  order by p.account_id nulls last limit 1
$$;

-- The policies of the accounts of a post, each once and in one order.
create function post_policies(post_id uuid) returns jsonb language sql as $$
  select coalesce(jsonb_agg(distinct policy), '[]')
  from post join post_target t on t.post_id = post.id
    cross join lateral approval_policy_of(post.workspace_id, t.account_id) as policy
  where post.id = $1 and policy is not null
$$;

-- Whether a post may be published as it is. Never null.
create function post_is_approved(post_id uuid) returns boolean language sql as $$
  select coalesce((
    select case
      when review in ('pending', 'rejected') then false
      when policies = '[]' and (review = 'none' or approved_content is null) then true
      else review = 'approved' and approved_content = post_content_hash(id)
        and (policies = '[]' or policies = approved_policies)
    end
    from post, post_policies(post.id) as policies where post.id = $1
  ), false)
$$;
