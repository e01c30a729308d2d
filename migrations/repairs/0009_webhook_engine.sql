alter table webhook_health add column if not exists last_failed_delivery uuid;
do $$
begin
  if (select atttypid from pg_attribute where attrelid = 'delivery'::regclass and attname = 'attempts') = 'smallint'::regtype then
    alter table delivery alter column attempts type integer;
    alter table attempt alter column n type integer;
  end if;
end $$;
create index if not exists delivery_kept on delivery (webhook_id, state, id) where state <> 'waiting';
create index if not exists attempt_failed_test on attempt (webhook_id, delivery_id) where done and not ok;
revoke execute on function keep_partitions from public;
-- A migration of its own for a while, which created the two indexes.
delete from migration where name = '0011_webhook_lists.sql';
