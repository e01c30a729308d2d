-- Posts a transaction in one round trip and returns its id, also when the key was used before. Accounts are locked in
-- the order of their ids, which prevents deadlocks. The insert names no constraint: a reversal conflicts in two of them,
-- and at the same moment as another one it would fail in the one that was not named.
create or replace function post_ledger_transaction(key text, hash bytea, of_kind text, of_reference uuid, of_reversed uuid,
  at timestamptz, of_currency currency, kinds ledger_account_kind[], owners text[], min_balances bigint[], amounts bigint[])
  returns uuid language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new_id uuid;
  known_hash bytea;
  account_ids uuid[];
begin
  insert into ledger_transaction (idempotency_key, input_hash, kind, reference, reverses, occurred_at)
    values (key, hash, of_kind, of_reference, of_reversed, at)
    on conflict do nothing returning id into new_id;
  if new_id is null then
    select id, input_hash into new_id, known_hash from ledger_transaction where idempotency_key = key;
    if known_hash is distinct from hash then
      raise exception 'the ledger has another transaction with the key %', key;
    end if;
    return new_id;
  end if;
  for attempt in 1..2 loop
    -- One lookup in the index for each account, however many accounts there are.
    select array_agg((select id from ledger_account as account
      where account.kind = entry.kind and account.owner = entry.owner and account.currency = of_currency))
    into account_ids from unnest(kinds, owners) as entry (kind, owner);
    exit when array_position(account_ids, null) is null;
    insert into ledger_account (kind, owner, currency, min_balance)
      select kind, owner, of_currency, min_balance from unnest(kinds, owners, min_balances) as new (kind, owner, min_balance)
      order by kind, owner on conflict on constraint ledger_account_key do nothing;
  end loop;
  perform from ledger_account where id = any(account_ids) order by id for no key update;
  with moved as (
    update ledger_account set balance = balance + amounts[array_position(account_ids, id)]
    where id = any(account_ids) returning id, amounts[array_position(account_ids, id)] as amount, balance
  )
  insert into ledger_entry (transaction_id, account_id, amount, balance_after) select new_id, id, amount, balance from moved;
  return new_id;
end $$;
