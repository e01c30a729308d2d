-- other: of a kind that Meydan does not know, such as a reserve.
create type settlement_kind as enum ('payment', 'refund', 'dispute', 'fee', 'payout', 'other');

-- A movement of the balance at a payment provider, as the provider reports it. Never changed: each is booked once.
create table settlement_line (
  id uuid primary key default uuidv7(),
  provider billing_provider not null,
  -- The provider's id of the movement.
  reference text not null,
  kind settlement_kind not null,
  -- Kind by the name of the provider.
  type text not null,
  provider_payment_id text,
  -- The currency of the balance, which the ledger may not have.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units before the fee, negative when the balance fell.
  amount bigint not null,
  fee bigint not null,
  -- The amount in the currency of the payment, the same unless the provider converted it.
  paid_amount bigint not null,
  paid_currency text not null check (paid_currency ~ '^[A-Z]{3}$'),
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint settlement_line_reference unique (provider, reference),
  check (paid_currency <> currency or paid_amount = amount)
);
create index settlement_line_of_provider on settlement_line (provider, id);
create index settlement_line_of_kind on settlement_line (kind, id);
create index settlement_line_of_payment on settlement_line (provider, provider_payment_id) where provider_payment_id is not null;
create trigger settlement_line_append_only before update or delete or truncate on settlement_line
  for each statement execute function refuse_change();

-- The time until which the movements of a provider were read. A pass reads from the newest back to `read_to`.
create table settlement_reading (
  provider billing_provider primary key,
  -- Everything until this time was read. Null: no pass has ended.
  read_to timestamptz,
  -- Begin of the pass that is under way, and the movement after which it continues. Null: none is.
  pass_at timestamptz,
  page_after text,
  -- Balances of the provider and those of the ledger at one moment, in minor units by currency.
  balances jsonb,
  balances_at timestamptz,
  -- Changes with each write, so that of two nodes that read the same page one goes on.
  version integer not null default 1
);
create trigger settlement_reading_version before update on settlement_reading for each row execute function next_version();

-- Remedies of instance admins for a difference between Meydan and a provider.
create table settlement_remedy (
  id uuid primary key default uuidv7(),
  provider billing_provider not null,
  code text not null,
  -- The payment, movement or balance that differs.
  subject text not null,
  currency text not null,
  -- The difference in minor units, as it was then.
  amount bigint not null,
  -- Account to which it was booked. Null: it was explained, and nothing was booked.
  account ledger_account_kind,
  -- Account from which it was booked.
  source ledger_account_kind,
  note text not null,
  created_by uuid references "user" on delete set null,
  created_at timestamptz not null default now(),
  check ((account is null) = (source is null))
);
create index settlement_remedy_of_subject on settlement_remedy (provider, subject);
create trigger settlement_remedy_kept before delete or truncate on settlement_remedy
  for each statement execute function refuse_change();
