-- Amounts are minor units of their currency and include VAT.
create type billing_provider as enum ('manual', 'stripe', 'iyzico', 'paytr');
create type billing_period as enum ('monthly', 'yearly');
create type subscription_status as enum ('trialing', 'active', 'past_due', 'canceled', 'expired');
create type checkout_status as enum ('open', 'completed', 'expired', 'failed');
-- start: of a subscription. renewal: of one that Meydan renews. change: to a larger plan now.
create type checkout_purpose as enum ('start', 'renewal', 'change');

create table subscription (
  id uuid primary key default uuidv7(),
  -- Rows outlive their workspace, because invoices do.
  workspace_id uuid references workspace on delete set null,
  plan_code text not null references plan,
  status subscription_status not null,
  trial_end timestamptz,
  -- Periods end on the day of the month of this time.
  anchor timestamptz not null,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  billing_currency currency not null,
  billing_period billing_period not null,
  -- The price of one period, as it was shown when it was bought.
  amount bigint not null check (amount >= 0),
  cancel_at_period_end boolean not null default false,
  cancel_requested_at timestamptz,
  pending_plan_code text references plan,
  pending_period billing_period,
  pending_amount bigint check (pending_amount >= 0),
  past_due_at timestamptz,
  past_due_deadline timestamptz,
  -- Address of the provider at which the open payment can be made.
  failed_payment_url text,
  ended_at timestamptz,
  provider billing_provider not null,
  provider_subscription_id text,
  provider_customer_id text,
  -- What the provider reported last: a difference from it is a change made there.
  provider_cancel_at_period_end boolean not null default false,
  -- Timers up to this time have run.
  timer_at timestamptz not null,
  -- The time of the next timer; null: there is none.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  check ((pending_plan_code is null) = (pending_period is null) and (pending_plan_code is null) = (pending_amount is null)),
  check ((status = 'past_due') = (past_due_deadline is not null)),
  check ((status in ('canceled', 'expired')) = (ended_at is not null))
);
create unique index subscription_live on subscription (workspace_id) where status in ('trialing', 'active', 'past_due');
create unique index subscription_provider_key on subscription (provider, provider_subscription_id);
create index subscription_of_workspace on subscription (workspace_id, id);
create index subscription_due on subscription (due_at) where due_at is not null;
create trigger subscription_version before update on subscription for each row execute function next_version();

-- A workspace and its owners have one trial. Outlives the workspace, so that a new one gets none.
create table billing_trial (
  workspace_id uuid not null,
  user_id uuid not null references "user" on delete cascade,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index billing_trial_user on billing_trial (user_id);

create table checkout (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  created_by uuid references "user" on delete set null,
  purpose checkout_purpose not null,
  subscription_id uuid references subscription,
  plan_code text not null references plan,
  billing_period billing_period not null,
  currency currency not null,
  amount bigint not null check (amount >= 0),
  -- The price of later periods, where it differs from what is paid now.
  period_amount bigint not null check (period_amount >= 0),
  trial_days integer not null default 0,
  provider billing_provider not null,
  kind text not null check (kind in ('redirect', 'hosted', 'iframe', 'payment_request', 'none')),
  status checkout_status not null default 'open',
  -- Null while the provider is asked for it.
  provider_ref text,
  url text,
  form_html text,
  failure text,
  expires_at timestamptz not null,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index checkout_open on checkout (workspace_id) where status = 'open' and purpose <> 'renewal';
create unique index checkout_renewal on checkout (subscription_id) where status = 'open' and purpose = 'renewal';
create unique index checkout_ref on checkout (provider, provider_ref);
create index checkout_expiring on checkout (expires_at) where status = 'open';
create index checkout_of_workspace on checkout (workspace_id, id);

create type payment_use as enum ('applied', 'unapplied');
create table payment (
  id uuid primary key default uuidv7(),
  workspace_id uuid references workspace on delete set null,
  subscription_id uuid references subscription,
  checkout_id uuid references checkout on delete set null,
  provider billing_provider not null,
  provider_payment_id text not null,
  currency currency not null,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  period_start timestamptz,
  period_end timestamptz,
  -- unapplied: paid for what had ended or was paid already. It is refunded, or an instance admin is told.
  use payment_use not null,
  created_at timestamptz not null default now(),
  constraint payment_provider_key unique (provider, provider_payment_id)
);
create index payment_of_workspace on payment (workspace_id, id);
create index payment_of_subscription on payment (subscription_id, id);

create type refund_status as enum ('pending', 'succeeded', 'failed');
create table refund (
  id uuid primary key default uuidv7(),
  payment_id uuid not null references payment,
  amount bigint not null check (amount > 0),
  status refund_status not null default 'pending',
  reason text,
  -- Null: Meydan itself.
  requested_by uuid references "user" on delete set null,
  provider_refund_id text,
  failure text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index refund_of_payment on refund (payment_id);
create index refund_pending on refund (id) where status = 'pending';

create type invoice_status as enum ('open', 'paid', 'void');
create type invoice_kind as enum ('invoice', 'credit_note');
create table invoice (
  id uuid primary key default uuidv7(),
  workspace_id uuid references workspace on delete set null,
  subscription_id uuid references subscription,
  kind invoice_kind not null,
  -- The invoice that a credit note corrects.
  corrects uuid references invoice,
  payment_id uuid references payment,
  refund_id uuid references refund,
  checkout_id uuid references checkout on delete set null,
  prefix text not null,
  year integer not null,
  sequence integer not null,
  -- As printed, such as MYD-2026-000042.
  number text not null generated always as
    (prefix || '-' || year || '-' || lpad(sequence::text, greatest(6, length(sequence::text)), '0')) stored,
  status invoice_status not null,
  currency currency not null,
  -- VAT included; negative on a credit note.
  total bigint not null,
  vat_percent numeric(5, 2) not null,
  vat_amount bigint not null,
  -- As they were at the time of issue.
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  language text not null check (language in ('en', 'tr')),
  -- Dates are printed in this time zone.
  timezone text not null,
  -- Of the e-Fatura or e-Arşiv document that was issued elsewhere for it.
  ettn uuid,
  official_number text,
  period_start timestamptz,
  period_end timestamptz,
  issued_at timestamptz not null,
  due_at timestamptz,
  paid_at timestamptz,
  voided_at timestamptz,
  constraint invoice_number_key unique (prefix, year, sequence),
  check ((kind = 'credit_note') = (corrects is not null))
);
create index invoice_of_workspace on invoice (workspace_id, id);
create index invoice_corrects on invoice (corrects) where corrects is not null;
create index invoice_issued on invoice (issued_at);
create index invoice_number on invoice (number text_pattern_ops);
create unique index invoice_refund on invoice (refund_id) where refund_id is not null;
create unique index invoice_of_payment on invoice (payment_id) where kind = 'invoice' and payment_id is not null;

-- The last number of each series. Locked until the invoice is committed, so that no number is left out.
create table invoice_series (
  prefix text not null,
  year integer not null,
  last_sequence integer not null,
  primary key (prefix, year)
);

-- Events of providers, each stored once. The job that handles one reads the state from the provider.
create table billing_event (
  provider billing_provider not null,
  event_id text not null,
  type text not null,
  refs jsonb not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  -- ignored: about nothing of this instance.
  outcome text check (outcome in ('applied', 'ignored')),
  primary key (provider, event_id)
);
create index billing_event_received on billing_event (received_at);

create type payment_request_status as enum ('pending', 'approved', 'rejected', 'expired', 'withdrawn');
create table payment_request (
  id uuid primary key default uuidv7(),
  checkout_id uuid not null unique references checkout on delete cascade,
  workspace_id uuid not null references workspace on delete cascade,
  plan_code text not null references plan,
  amount bigint not null,
  currency currency not null,
  status payment_request_status not null default 'pending',
  note text,
  reference text,
  decided_by uuid references "user" on delete set null,
  decided_at timestamptz,
  reason text,
  created_at timestamptz not null default now()
);
create index payment_request_status on payment_request (status, id);
create index payment_request_of_workspace on payment_request (workspace_id, id);
