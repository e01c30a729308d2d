-- Protects the ledger and invoices from the role that runs Meydan, if that is not their owner: what was booked or issued
-- is followed by another booking or a credit note, and never changed or deleted.

-- The one way to book. It checks what is booked, so nobody needs to write these tables otherwise.
alter function post_ledger_transaction(text, bytea, text, uuid, uuid, timestamptz, currency, ledger_account_kind[], text[],
  bigint[], bigint[]) security definer set search_path = pg_catalog, public, pg_temp;
revoke execute on function post_ledger_transaction from public;
-- Their triggers run as the owner too, and after the function: names must not lead to tables of the session.
alter function assert_ledger_balance() set search_path = pg_catalog, public, pg_temp;
alter function refuse_change() set search_path = pg_catalog, public, pg_temp;

create or replace function grant_runtime(role_name name) returns void language plpgsql as $$
declare
  part name;
  guarded name;
begin
  foreach part in array array['public', 'graphile_worker']::name[] loop
    execute format('grant usage on schema %I to %I', part, role_name);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', part, role_name);
    execute format('grant usage, select, update on all sequences in schema %I to %I', part, role_name);
    execute format('grant execute on all functions in schema %I to %I', part, role_name);
  end loop;
  -- The job runner guards its tables by row, and names nobody who may pass.
  for guarded in select relname from pg_class
    where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
  loop
    execute format('drop policy if exists %I on graphile_worker.%I', 'meydan_' || role_name, guarded);
    execute format('create policy %I on graphile_worker.%I to %I using (true) with check (true)',
      'meydan_' || role_name, guarded, role_name);
  end loop;
  execute format('revoke update, delete, truncate on audit_entry from %I', role_name);
  execute format('revoke insert, update, delete, truncate on ledger_account, ledger_transaction, ledger_entry from %I', role_name);
  -- A role can lock a row only if it can update a column of it. This one says nothing about money.
  execute format('grant update (created_at) on ledger_account to %I', role_name);
  execute format('revoke update, delete, truncate on invoice, invoice_series from %I', role_name);
  execute format('grant update (status, checkout_id, payment_id, paid_at, voided_at, ettn, official_number) on invoice to %I',
    role_name);
  execute format('grant update (last_sequence) on invoice_series to %I', role_name);
  execute format('revoke insert, update, delete on migration from %I', role_name);
  execute format('revoke execute on function grant_runtime from %I', role_name);
end $$;
