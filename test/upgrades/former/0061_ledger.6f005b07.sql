-- Double-entry bookkeeping in minor units. A positive amount credits an account: Meydan owes or has earned more. A
-- negative one debits it: more money is with a provider. The entries of a transaction sum to zero in each currency.
create type ledger_account_kind as enum ('provider_clearing', 'subscription_revenue', 'vat_payable', 'unapplied_payments');

create table ledger_account (
  id uuid primary key default uuidv7(),
  kind ledger_account_kind not null,
  -- Such as the payment provider that holds the money. Empty: there is one account of this kind.
  owner text not null,
  currency currency not null,
  balance bigint not null default 0,
  -- Null: the balance has no bound.
  min_balance bigint,
  created_at timestamptz not null default now(),
  constraint ledger_account_key unique (kind, owner, currency),
  constraint ledger_account_min_balance check (balance >= min_balance)
);

create table ledger_transaction (
  id uuid primary key default uuidv7(),
  idempotency_key text not null,
  -- Of everything but the time, so that a key is not used for two different transactions.
  input_hash bytea not null,
  kind text not null,
  -- The record that moved the money, such as a payment.
  reference uuid not null,
  reverses uuid references ledger_transaction,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint ledger_transaction_key unique (idempotency_key),
  constraint ledger_transaction_reversed_once unique (reverses)
);
create index ledger_transaction_of_reference on ledger_transaction (reference, id);

create table ledger_entry (
  transaction_id uuid not null references ledger_transaction,
  account_id uuid not null references ledger_account,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  primary key (transaction_id, account_id)
);
create index ledger_entry_of_account on ledger_entry (account_id, transaction_id);

create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
  for each statement execute function refuse_change();
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger ledger_account_kept before delete or truncate on ledger_account
  for each statement execute function refuse_change();

create function assert_ledger_balance() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_entry join ledger_account on ledger_account.id = account_id
    where transaction_id = new.transaction_id
    group by currency having sum(amount) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balance after insert on ledger_entry
  deferrable initially deferred for each row execute function assert_ledger_balance();

-- Posts a transaction in one round trip and returns its id, also when the key was used before. Accounts are locked in
-- the order of their ids, so that transactions with the same accounts do not wait for each other in a circle.
create function post_ledger_transaction(key text, hash bytea, of_kind text, of_reference uuid, of_reversed uuid,
  at timestamptz, of_currency currency, kinds ledger_account_kind[], owners text[], min_balances bigint[], amounts bigint[])
  returns uuid language plpgsql as $$
declare
  new_id uuid;
  known_hash bytea;
  account_ids uuid[];
begin
  insert into ledger_transaction (idempotency_key, input_hash, kind, reference, reverses, occurred_at)
    values (key, hash, of_kind, of_reference, of_reversed, at)
    on conflict on constraint ledger_transaction_key do nothing returning id into new_id;
  if new_id is null then
    select id, input_hash into new_id, known_hash from ledger_transaction where idempotency_key = key;
    if known_hash <> hash then
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

-- Books what was paid and refunded before: payments first, because the clocks of providers differ from ours.
do $$
declare
  moved record;
begin
  for moved in
    select 'payment' as source, payment.id, payment.paid_at as at, payment.currency, provider::text, use, amount,
      coalesce(vat_amount, 0) as vat
    from payment left join invoice on invoice.payment_id = payment.id and invoice.kind = 'invoice'
    union all
    select 'refund', refund.id, coalesce(settled_at, refund.created_at), payment.currency, provider::text, use, -refund.amount,
      coalesce(vat_amount, 0)
    from refund join payment on payment.id = refund.payment_id left join invoice on invoice.refund_id = refund.id
    where refund.status = 'succeeded'
    order by source, at, id
  loop
    if moved.use = 'unapplied' then
      perform post_ledger_transaction(moved.source || ':' || moved.id, '', 'subscription_' || moved.source, moved.id, null, moved.at,
        moved.currency, array['provider_clearing', 'unapplied_payments']::ledger_account_kind[], array[moved.provider, ''], array[null, 0]::bigint[],
        array[-moved.amount, moved.amount]);
    elsif moved.vat = 0 then
      perform post_ledger_transaction(moved.source || ':' || moved.id, '', 'subscription_' || moved.source, moved.id, null, moved.at,
        moved.currency, array['provider_clearing', 'subscription_revenue']::ledger_account_kind[], array[moved.provider, ''],
        array[null, null]::bigint[], array[-moved.amount, moved.amount]);
    else
      perform post_ledger_transaction(moved.source || ':' || moved.id, '', 'subscription_' || moved.source, moved.id, null, moved.at,
        moved.currency, array['provider_clearing', 'subscription_revenue', 'vat_payable']::ledger_account_kind[], array[moved.provider, '', ''],
        array[null, null, null]::bigint[], array[-moved.amount, moved.amount - moved.vat, moved.vat]);
    end if;
  end loop;
end $$;
