-- What readers see of a post, as it was after each change of it.
create table post_version (
  id uuid primary key default uuidv7(),
  post_id uuid not null references post on delete cascade,
  -- Counts the versions of the post, from 1. The oldest are deleted, so the first that is there can have another number.
  number integer not null,
  -- See `post_content`.
  content jsonb not null,
  content_hash text not null,
  bytes integer not null,
  -- Null: Meydan, or a user who no longer exists.
  user_id uuid references "user" on delete set null,
  -- Null for a session.
  token_id uuid,
  source text not null check (source in
    ('console', 'api', 'agent', 'recurring_post', 'import', 'network', 'media', 'restore', 'system', 'earlier')),
  -- The number of the version that was restored.
  restored_number integer,
  -- When the first of the changes that are one version was made.
  started_at timestamptz not null,
  created_at timestamptz not null,
  constraint post_version_number unique (post_id, number)
);
create index post_version_user on post_version (user_id, id) where user_id is not null;

-- All that readers see of a post, and the accounts on which they see it. Null for a post that does not exist.
create function post_content(post_id uuid) returns jsonb language sql as $$
  select jsonb_build_object(
    'content', post.content,
    'media_ids', post.media_ids,
    'thread', post.thread,
    'first_comment', post.first_comment,
    'targets', (
      select jsonb_agg(to_jsonb(t) order by t.account_id) from (
        select account_id, content, media_ids, thread, first_comment, options from post_target where post_id = post.id
      ) as t),
    'media', (
      select jsonb_agg(jsonb_build_object('id', m.id, 'alt', m.alt,
        'name', case when m.kind = 'document' then m.name end) order by m.id)
      from post_media pm join media m on m.id = pm.media_id where pm.post_id = post.id)
  )
  from post where post.id = $1
$$;
create or replace function post_content_hash(post_id uuid) returns text language sql as $$
  select encode(sha256(convert_to(post_content($1)::text, 'UTF8')), 'hex')
$$;

-- The keys of two contents that differ. `media` counts for files that both have.
create function changed_parts(before jsonb, after jsonb) returns text[] language sql immutable as $$
  select array(select e.key from jsonb_each(after) e where case when e.key <> 'media'
    then e.value is distinct from before -> e.key
    else exists (
      select from jsonb_array_elements(coalesce(nullif(before -> 'media', 'null'), '[]')) b
      join jsonb_array_elements(coalesce(nullif(after -> 'media', 'null'), '[]')) a on a -> 'id' = b -> 'id'
      where a <> b)
    end order by e.key)
$$;

-- Keeps who acts in a transaction, for the versions that its end writes: the first audit entry, and the first by a user
-- if there is one. As `user|token|action|restored_number`.
create function keep_audit_actor() returns trigger language plpgsql as $$
declare
  kept text := coalesce(current_setting('meydan.audit_actor', true), '');
begin
  if kept = '' or (new.actor_id is not null and kept like '|%') then
    -- An assignment, unlike `perform`, starts no query.
    kept := set_config('meydan.audit_actor',
      concat(new.actor_id, '|', new.token_id, '|', new.action, '|', new.details ->> 'restored_number'), true);
  end if;
  return null;
end
$$;
create trigger audit_entry_actor after insert on audit_entry for each row execute function keep_audit_actor();

-- Writes a version of a post if its content is another than that of the newest. At the end of a transaction, so that all
-- changes in it are one version, whoever makes them. Returns whether it wrote one.
create function write_post_version(changed_post uuid) returns boolean language plpgsql as $$
declare
  post record;
  actor text[] := string_to_array(coalesce(current_setting('meydan.audit_actor', true), ''), '|', '');
  as_text text;
  hash text;
  origin text;
  at timestamptz;
  -- The post of the last call in this transaction.
  done text := coalesce(current_setting('meydan.version_of', true), '');
begin
  -- The first call for a post finds all changes of the transaction.
  if done = changed_post::text or (done <> '' and exists (
    select from post_version v where v.post_id = changed_post and v.xmin = pg_current_xact_id()::xid)) then return false; end if;
  done := set_config('meydan.version_of', changed_post::text, true);
  loop
    select p.status, p.review, p.agent_run_id, p.recurring_post_id, p.updated_at, post_content(p.id) as content, newest.*
      into post
      from post p left join lateral (
        select v.id as version_id, v.number, v.content_hash, v.user_id, v.source, v.started_at, v.created_at
        from post_version v where v.post_id = p.id order by v.number desc limit 1
      ) as newest on true
      where p.id = changed_post;
    if not found then return false; end if;
    as_text := post.content::text;
    hash := encode(sha256(convert_to(as_text, 'UTF8')), 'hex');
    if post.content_hash = hash then return false; end if;

    origin := case
      when actor[3] = 'post.created' and post.agent_run_id is not null then 'agent'
      when actor[3] = 'post.created' and post.recurring_post_id is not null then 'recurring_post'
      when actor[4] is not null then 'restore'
      when actor[3] like 'import.%' then 'import'
      when actor[3] like 'media.%' then 'media'
      when actor[3] = 'post.edited_on_network' then 'network'
      when actor[2] is not null then 'api'
      when actor[1] is not null then 'console'
      else 'system' end;
    -- A change of a file does not change the row of the post.
    at := case when origin = 'media' or post.created_at >= post.updated_at then now() else post.updated_at end;

    -- The console saves a draft by itself. What one person writes within ten minutes is one version, unless it was
    -- decided on.
    if origin = 'console' and post.source = 'console' and post.status = 'draft' and post.review = 'none'
      and post.user_id = actor[1]::uuid and at < post.started_at + interval '10 minutes'
      and not exists (select from review_decision d where d.post_id = changed_post and d.content_hash = post.content_hash)
    then
      update post_version v set content = post.content, content_hash = hash, bytes = octet_length(as_text), created_at = at
      where v.id = post.version_id and v.content_hash = post.content_hash;
    else
      -- Another transaction may write one at the same time: then what both changed is read again.
      insert into post_version (post_id, number, content, content_hash, bytes, user_id, token_id, source, restored_number,
        started_at, created_at)
      values (changed_post, coalesce(post.number, 0) + 1, post.content, hash, octet_length(as_text), actor[1]::uuid,
        actor[2]::uuid, origin, case when origin = 'restore' then actor[4]::integer end, at, at)
      on conflict on constraint post_version_number do nothing;
    end if;
    exit when found;
  end loop;

  -- A post keeps its newest version and the 99 before it. Large ones, of which a hundred would be more than a megabyte,
  -- keep those before that fit a megabyte with them.
  if post.number >= 100 then
    delete from post_version v where v.post_id = changed_post and v.number <= post.number - 99;
  end if;
  if post.version_id is not null and octet_length(as_text) > 10485 then
    delete from post_version v using (
      select k.id, row_number() over w as place, sum(k.bytes) over w as total
      from post_version k where k.post_id = changed_post window w as (order by k.number desc)
    ) as kept where v.id = kept.id and kept.place > 1 and kept.total > 1048576;
  end if;
  return true;
end
$$;

create function write_version_of_post() returns trigger language plpgsql as $$
declare
  is_written boolean;
begin
  is_written := write_post_version(new.id);
  return null;
end
$$;
create constraint trigger post_written after insert on post
  deferrable initially deferred for each row execute function write_version_of_post();
create constraint trigger post_content_changed after update of content, media_ids, thread, first_comment on post
  deferrable initially deferred for each row
  when ((old.content, old.media_ids, old.thread, old.first_comment)
    is distinct from (new.content, new.media_ids, new.thread, new.first_comment))
  execute function write_version_of_post();

create function write_version_of_target() returns trigger language plpgsql as $$
declare
  is_written boolean;
begin
  is_written := write_post_version(case when tg_op = 'DELETE' then old.post_id else new.post_id end);
  return null;
end
$$;
create constraint trigger post_target_written after insert or delete on post_target
  deferrable initially deferred for each row execute function write_version_of_target();
create constraint trigger post_target_changed
  after update of content, media_ids, thread, first_comment, options on post_target
  deferrable initially deferred for each row
  when ((old.content, old.media_ids, old.thread, old.first_comment, old.options)
    is distinct from (new.content, new.media_ids, new.thread, new.first_comment, new.options))
  execute function write_version_of_target();

-- What networks have does not change with the file. Locks the posts, so that an edit of one at the same time is either
-- in its version or waits for it.
create function write_versions_of_media() returns trigger language plpgsql as $$
begin
  perform write_post_version(p.id)
  from (select post.id from post_media pm join post on post.id = pm.post_id
    where pm.media_id = new.id and post.status in ('draft', 'scheduled', 'failed') and post.deleted_at is null
    order by post.id for no key update of post) as p;
  return null;
end
$$;
create constraint trigger media_text_changed after update of alt, name on media
  deferrable initially deferred for each row
  when (old.alt is distinct from new.alt or (new.kind = 'document' and old.name is distinct from new.name))
  execute function write_versions_of_media();

-- The posts that can still change. Without a version, the text before their next change would be lost.
insert into post_version (post_id, number, content, content_hash, bytes, user_id, source, started_at, created_at)
select id, 1, said, encode(sha256(convert_to(said::text, 'UTF8')), 'hex'), octet_length(said::text),
  coalesce(updated_by_id, author_id), 'earlier', updated_at, updated_at
from post, post_content(post.id) as said
where status in ('draft', 'scheduled', 'failed');
