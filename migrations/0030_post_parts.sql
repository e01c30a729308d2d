-- Parts of a post beyond its text: files, a thread, a first comment. On a target, null is the post's own.
alter table post
  add column media_ids uuid[] not null default '{}',
  add column thread jsonb not null default '[]',
  add column first_comment text;

alter table post_target
  add column media_ids uuid[],
  add column thread jsonb,
  add column first_comment text,
  -- The journal of publishing: an entry for each step that has begun, with what it left on the network.
  add column steps jsonb not null default '[]',
  -- Parts of the thread that readers see, the post itself included.
  add column published_parts smallint not null default 0,
  -- The response was lost and the network cannot be asked: a person decides.
  add column needs_resolution boolean not null default false;

-- What an earlier version sent to Bluesky without a response is looked up by its record key.
update post_target set steps = jsonb_build_array(jsonb_build_object(
    'name', 'post 0', 'state', 'begun', 'part', 0, 'begun_at', coalesce(attempted_at, now()),
    'intent', jsonb_build_object('rkey', attempt_key, 'record', null)))
  from account
  where account.id = account_id and network = 'bluesky' and attempt_key is not null
    and (post_target.status in ('publishing', 'unconfirmed') or error_code = 'unconfirmed');

-- Differences of this account's server from its network, such as a longer text.
alter table account add column limits jsonb not null default '{}';

alter type target_status add value 'unpublished';
alter type post_status add value 'unpublished';

alter table playground_post
  add column media_ids uuid[] not null default '{}',
  add column reply_to_id uuid references playground_post on delete cascade;
create index playground_post_reply on playground_post (reply_to_id) where reply_to_id is not null;
