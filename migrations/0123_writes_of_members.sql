-- Whether a member may write in a workspace. Waits for its deletion, or for a move to another installation, that has begun,
-- and keeps one from committing before this transaction.
create function workspace_takes_writes(workspace_id uuid) returns boolean language plpgsql as $$
begin
  perform from workspace where id = workspace_id and deleted_at is null for key share;
  return found;
end $$;
