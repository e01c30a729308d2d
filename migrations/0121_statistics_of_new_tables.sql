-- Statistics of the columns that mark the end of a record, for tables that PostgreSQL has not analyzed yet. Without them it
-- expects one record in 200 to be live, so that an index of live records looks small: it read each page of a list from
-- such an index, whole, and sorted it. The first ANALYZE replaces them.
do $$
declare
  ending record;
begin
  for ending in select * from (values ('account', 'deleted_at'), ('post', 'deleted_at'), ('media', 'deleted_at'),
    ('rss_item', 'removed_at'), ('recipe', 'taken_down_at'), ('oauth_grant', 'ended_at')) as endings (of_table, of_column)
  loop
    if not exists (select from pg_stats
      where schemaname = current_schema and tablename = ending.of_table and attname = ending.of_column)
    then
      perform pg_restore_attribute_stats('schemaname', current_schema::text, 'relname', ending.of_table::text,
        'attname', ending.of_column::text, 'inherited', false, 'null_frac', 1.0::real, 'avg_width', 8::int,
        'n_distinct', 0.0::real);
    end if;
  end loop;
end $$;
