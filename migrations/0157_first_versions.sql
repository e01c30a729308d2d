-- The first version of a post is written when the post first changes, from what it was until then. A post that never
-- changes costs none, and `post_history` composes its version from its own row.
alter table post
  -- The source of the first version, by the names of `post_version.source`. Null: written by an earlier release, whose
  -- first version is a row from the beginning.
  add column created_from text,
  -- Null for a session.
  add column created_by_token uuid,
  -- The transaction that inserted the post, whose further changes are still its creation.
  add column created_in xid8;
alter table post alter column created_in set default pg_current_xact_id();

-- A post that is copied from another installation brings the transaction of that one.
create function set_created_in() returns trigger language plpgsql as $$
begin
  new.created_in := pg_current_xact_id();
  return new;
end
$$;
create trigger post_created_in before insert on post for each row
  when (new.created_in is distinct from pg_current_xact_id()) execute function set_created_in();

-- All versions of posts. The id of a first version that is not stored is that of the post, also when it is stored later.
create view post_history as
  select id, post_id, number, content, user_id, token_id, source, restored_number, created_at from post_version
  union all
  select id, id, 1, post_content(id), author_id, created_by_token, created_from, null, created_at from post
  where created_from is not null and not exists (select from post_version v where v.post_id = post.id);

-- Stores the first version of a post before something of it changes. Does nothing if it has versions, or is created in
-- this transaction. Returns whether it is a post of an earlier transaction.
create function keep_first_version(changed_post uuid) returns boolean language plpgsql as $$
declare
  post record;
begin
  select p.created_from, p.created_in is not distinct from pg_current_xact_id() as is_new,
    p.created_in is distinct from pg_current_xact_id() and exists (select from post_version v where v.post_id = p.id)
      as has_versions
    into post from post p where p.id = changed_post;
  if not found or post.is_new then return false; end if;
  if post.created_from is not null and not post.has_versions then
    -- Another transaction may store it at the same time.
    insert into post_version (id, post_id, number, content, content_hash, bytes, user_id, token_id, source, started_at, created_at)
    select p.id, p.id, 1, said, encode(sha256(convert_to(said::text, 'UTF8')), 'hex'), octet_length(said::text),
      p.author_id, p.created_by_token, p.created_from, p.created_at, p.created_at
    from post p, post_content(p.id) as said where p.id = changed_post
    on conflict do nothing;
  end if;
  return true;
end
$$;

create function keep_first_version_of_post() returns trigger language plpgsql as $$
declare
  is_earlier boolean := keep_first_version(old.id);
begin
  return new;
end
$$;
create trigger post_first_version before update of content, media_ids, thread, first_comment on post for each row
  when ((old.content, old.media_ids, old.thread, old.first_comment)
    is distinct from (new.content, new.media_ids, new.thread, new.first_comment))
  execute function keep_first_version_of_post();

create function keep_first_version_of_target() returns trigger language plpgsql as $$
declare
  is_earlier boolean := keep_first_version(case when tg_op = 'INSERT' then new.post_id else old.post_id end);
begin
  -- A target of a new post needs no look at the end of the transaction.
  if tg_op = 'INSERT' and is_earlier then is_earlier := set_config('meydan.adds_targets', 'on', true) = 'on'; end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger post_target_first_version before insert or delete on post_target
  for each row execute function keep_first_version_of_target();
create trigger post_target_first_version_changed
  before update of content, media_ids, thread, first_comment, options on post_target for each row
  when ((old.content, old.media_ids, old.thread, old.first_comment, old.options)
    is distinct from (new.content, new.media_ids, new.thread, new.first_comment, new.options))
  execute function keep_first_version_of_target();

-- Also of what is published, which does not change with the file.
create function keep_first_versions_of_media() returns trigger language plpgsql as $$
begin
  perform keep_first_version(used.post_id) from (
    select post_id from post_media where media_id = old.id order by post_id) as used;
  return new;
end
$$;
create trigger media_first_versions before update of alt, name on media for each row
  when (old.alt is distinct from new.alt or (new.kind = 'document' and old.name is distinct from new.name))
  execute function keep_first_versions_of_media();

-- An earlier release that still runs inserts posts without a source. The former triggers are disabled and not dropped: a
-- migration that drops something stops it.
alter table post disable trigger post_written;
create constraint trigger post_added after insert on post deferrable initially deferred for each row
  when (new.created_from is null) execute function write_version_of_post();
alter table post_target disable trigger post_target_written;
create constraint trigger post_target_added after insert on post_target deferrable initially deferred for each row
  when (current_setting('meydan.adds_targets', true) = 'on') execute function write_version_of_target();
create constraint trigger post_target_removed after delete on post_target
  deferrable initially deferred for each row execute function write_version_of_target();

create or replace function write_post_version(changed_post uuid) returns boolean language plpgsql as $$
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
  -- The first call for a post finds all changes of the transaction. One with the number 1 may be what it was before.
  if done = changed_post::text or (done <> '' and exists (
    select from post_version v
    where v.post_id = changed_post and v.xmin = pg_current_xact_id()::xid and v.number > 1)) then return false; end if;
  done := set_config('meydan.version_of', changed_post::text, true);
  loop
    select p.status, p.review, p.agent_run_id, p.recurring_post_id, p.updated_at, p.created_from, p.created_in,
      post_content(p.id) as content, newest.*
      into post
      from post p left join lateral (
        select v.id as version_id, v.number, v.content_hash, v.user_id, v.source, v.started_at, v.created_at
        from post_version v where v.post_id = p.id order by v.number desc limit 1
      ) as newest on true
      where p.id = changed_post;
    if not found then return false; end if;
    -- A first version that is not stored.
    if post.version_id is null and post.created_from is not null and post.created_in = pg_current_xact_id() then
      return false;
    end if;
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
