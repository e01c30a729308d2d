create index if not exists post_deleted_since on post (workspace_id, deleted_at, id) where deleted_at is not null;
create index if not exists post_status on post (workspace_id, status, id) where deleted_at is null;
create index if not exists post_published on post (workspace_id) where published_at is not null and deleted_at is null;
do $$
begin
  if pg_get_indexdef('post_scheduled'::regclass) not like '%INCLUDE (status)%' then
    drop index post_scheduled, post_updated;
    create index post_scheduled on post (workspace_id, scheduled_at, id) include (status) where deleted_at is null;
    create index post_updated on post (workspace_id, updated_at, id) include (status) where deleted_at is null;
  end if;
  if to_regprocedure('folded(text)') is null then
    create function folded(content text) returns text immutable strict parallel safe language sql
      return replace(casefold(translate(normalize(content, NFC), 'ıIİ', 'iii') collate pg_unicode_fast), U&'i\0307', 'i')
        collate "C";
  end if;
end $$;
alter table post add column if not exists search_text text storage main collate "C"
  generated always as (folded(left(content, 5000))) stored;
