-- Every list has an index in its order. Before a table has statistics, PostgreSQL otherwise reads all rows of a workspace
-- from an index that begins with the same column, and sorts them. A role that does not own the database may not do this.
do $$
begin
  execute format('alter database %I set enable_incremental_sort = off', current_database());
exception when insufficient_privilege then null;
end $$;
