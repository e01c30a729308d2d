-- How a seller is paid: in one workspace, as a balance is.
create table payout_account (
  id uuid primary key default uuidv7(),
  user_id uuid not null references "user" on delete cascade,
  workspace_id uuid not null references workspace on delete cascade,
  holder text not null,
  -- Sealed, as the note is. One of them is set.
  iban text,
  -- Country and last four characters.
  iban_masked text,
  note text,
  -- No payout can be requested before, because the account was changed.
  held_until timestamptz,
  updated_at timestamptz not null,
  constraint payout_account_key unique (user_id, workspace_id),
  constraint payout_account_target check ((iban is null) <> (note is null) and (iban is null) = (iban_masked is null))
);
create index payout_account_workspace on payout_account (workspace_id);

create type payout_status as enum ('pending', 'processing', 'paid', 'failed', 'canceled');

create table payout (
  id uuid primary key default uuidv7(),
  user_id uuid references "user" on delete set null,
  workspace_id uuid references workspace on delete set null,
  -- Owner of the ledger accounts of the seller, as in gig_order.
  seller_account text not null,
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency currency not null,
  status payout_status not null default 'pending',
  -- The payout account when it was requested. Sealed for this row.
  holder text not null,
  iban text,
  iban_masked text,
  note text,
  -- Payouts that were exported together.
  batch_id uuid,
  -- Of the transfer.
  reference text,
  failure_reason text,
  decided_by uuid references "user" on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payout_batch check (status <> 'processing' or batch_id is not null)
);
create index payout_of_seller on payout (workspace_id, user_id, id);
create index payout_of_user on payout (user_id);
create index payout_by_status on payout (status, id);
create index payout_of_batch on payout (batch_id, id) where batch_id is not null;

-- Earnings that wait for their clearance.
create index gig_order_clearance on gig_order (clears_at) where clears_at is not null and cleared_at is null;
create index gig_order_of_seller_user on gig_order (seller_id);
