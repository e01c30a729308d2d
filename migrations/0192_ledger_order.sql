-- Accounts are locked before a transaction gets its id, so that the ids of an account's entries are in the order of its
-- balances: the balance before an entry is that of the entry before it.

-- Time to add to a new id so that it follows the entries of these accounts: none, unless the clock was set back.
create function ledger_id_shift(account_ids uuid[]) returns interval
  language sql volatile set search_path = pg_catalog, public, pg_temp as $$
  select case when last_id >= new_id
    then uuid_extract_timestamp(last_id) - uuid_extract_timestamp(new_id) + interval '1 ms' else interval '0' end
  from (
    select uuidv7() as new_id, max((
      select transaction_id::text from ledger_entry where ledger_entry.account_id = accounts.id
      order by account_id desc, transaction_id desc limit 1
    ))::uuid as last_id
    from unnest(account_ids) as accounts (id)
  ) as ids
$$;
revoke execute on function ledger_id_shift from public;

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
  select id, input_hash into new_id, known_hash from ledger_transaction where idempotency_key = key;
  if new_id is null then
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
    insert into ledger_transaction (id, idempotency_key, input_hash, kind, reference, reverses, occurred_at)
      values (uuidv7(ledger_id_shift(account_ids)), key, hash, of_kind, of_reference, of_reversed, at)
      on conflict do nothing returning id into new_id;
    if new_id is not null then
      with moved as (
        update ledger_account set balance = balance + amounts[array_position(account_ids, id)]
        where id = any(account_ids) returning id, amounts[array_position(account_ids, id)] as amount, balance
      )
      insert into ledger_entry (transaction_id, account_id, amount, balance_after)
        select new_id, id, amount, balance from moved;
      return new_id;
    end if;
    select id, input_hash into new_id, known_hash from ledger_transaction where idempotency_key = key;
  end if;
  if known_hash is distinct from hash then
    raise exception 'the ledger has another transaction with the key %', key;
  end if;
  return new_id;
end $$;

-- Posts many transactions in one round trip, as post_ledger_transaction posts one, and returns how many are new. They are
-- booked in the order of the list. A bound of a balance is checked for the sum of the list.
create or replace function post_ledger_transactions(transactions jsonb) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new_ids uuid[];
  new_keys text[];
  account_ids uuid[];
  shift interval;
begin
  insert into ledger_account (kind, owner, currency, min_balance)
    select distinct entry.kind, entry.owner, listed.currency, entry.min_balance
    from jsonb_to_recordset(transactions) as listed (currency currency, entries jsonb),
      jsonb_to_recordset(listed.entries) as entry (kind ledger_account_kind, owner text, min_balance bigint)
    where not exists (
      select from ledger_account as account
      where account.kind = entry.kind and account.owner = entry.owner and account.currency = listed.currency)
    order by 1, 2, 3 on conflict on constraint ledger_account_key do nothing;
  select array_agg(distinct account.id) into account_ids
    from jsonb_to_recordset(transactions) as listed (currency currency, entries jsonb),
      jsonb_to_recordset(listed.entries) as entry (kind ledger_account_kind, owner text)
    join ledger_account as account on account.kind = entry.kind and account.owner = entry.owner
    where account.currency = listed.currency;
  perform from ledger_account where id = any(account_ids) order by id for no key update;

  shift := ledger_id_shift(account_ids);
  with inserted as (
    insert into ledger_transaction (id, idempotency_key, input_hash, kind, reference, occurred_at)
      select uuidv7(shift), key, decode(hash, 'hex'), kind, reference, occurred_at
      from rows from (jsonb_to_recordset(transactions) as (key text, hash text, kind text, reference uuid, occurred_at timestamptz))
        with ordinality as listed (key, hash, kind, reference, occurred_at, place)
      order by place
      on conflict do nothing returning id, idempotency_key
  )
  select coalesce(array_agg(id), '{}'), coalesce(array_agg(idempotency_key), '{}') into new_ids, new_keys from inserted;
  if exists (
    select from jsonb_to_recordset(transactions) as listed (key text, hash text)
    left join ledger_transaction on idempotency_key = key
    where input_hash is distinct from decode(hash, 'hex')
  ) then
    raise exception 'the ledger has another transaction with a key of the list';
  end if;

  with moved as (
    select new.id as transaction_id, account.id as account_id, entry.amount,
      account.balance + sum(entry.amount) over (partition by account.id order by new.id) as balance_after
    from jsonb_to_recordset(transactions) as listed (key text, currency currency, entries jsonb)
    join unnest(new_ids, new_keys) as new (id, key) on new.key = listed.key,
      jsonb_to_recordset(listed.entries) as entry (kind ledger_account_kind, owner text, amount bigint)
    join ledger_account as account on account.kind = entry.kind and account.owner = entry.owner
    where account.currency = listed.currency
  ), booked as (
    insert into ledger_entry (transaction_id, account_id, amount, balance_after)
      select transaction_id, account_id, amount, balance_after from moved
  )
  update ledger_account set balance = balance + sums.amount
    from (select account_id, sum(amount) as amount from moved group by account_id) as sums
    where ledger_account.id = sums.account_id;
  return cardinality(new_ids);
end $$;
revoke execute on function post_ledger_transactions from public;

-- Balances of entries that were booked at one moment, or while the clock was set back, in another order than that of
-- their ids.
alter table ledger_entry disable trigger ledger_entry_append_only;
update ledger_entry set balance_after = ordered.balance_after
  from (
    select transaction_id, account_id, sum(amount) over (partition by account_id order by transaction_id) as balance_after
    from ledger_entry
  ) as ordered
  where ledger_entry.transaction_id = ordered.transaction_id and ledger_entry.account_id = ordered.account_id
    and ledger_entry.balance_after <> ordered.balance_after;
alter table ledger_entry enable trigger ledger_entry_append_only;
