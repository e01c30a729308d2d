-- Posts many transactions in one round trip, as post_ledger_transaction posts one, and returns how many are new. They are
-- booked in the order of the list. A bound of a balance is checked for the sum of the list.
create function post_ledger_transactions(transactions jsonb) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new_ids uuid[];
  new_keys text[];
  account_ids uuid[];
begin
  with inserted as (
    insert into ledger_transaction (idempotency_key, input_hash, kind, reference, occurred_at)
      select key, decode(hash, 'hex'), kind, reference, occurred_at
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

-- A remedy stays as it was written. Its author may be deleted.
create or replace trigger settlement_remedy_kept
  before update of id, provider, code, subject, currency, amount, account, source, note, created_at or delete or truncate
  on settlement_remedy for each statement execute function refuse_change();
create function keep_remedy_author() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.created_by is not null and new.created_by is distinct from old.created_by then
    raise exception 'the author of a remedy is not changed' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger settlement_remedy_author before update of created_by on settlement_remedy
  for each row execute function keep_remedy_author();

-- The time that reports cover, and balances in currencies that the ledger does not have.
create index settlement_line_of_time on settlement_line (provider, occurred_at) where kind = 'payment';
create index settlement_line_not_booked on settlement_line (provider, currency) include (amount, fee, occurred_at)
  where currency not in ('TRY', 'USD');
-- Movements that are differences by themselves.
create index settlement_line_suspended on settlement_line (provider, reference) where kind = 'other';
