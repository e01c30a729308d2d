create type gig_status as enum ('draft', 'published', 'paused');

create table gig (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  -- Null: the seller's account was deleted.
  owner_id uuid references "user" on delete set null,
  slug text not null,
  title text not null,
  description text not null,
  -- Minor units.
  price bigint not null check (price > 0),
  currency currency not null,
  delivery_days integer not null,
  categories text[] not null default '{}',
  status gig_status not null default 'draft',
  published_at timestamptz,
  -- Set while an instance admin hides it.
  taken_down_at timestamptz,
  take_down_reason text,
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint gig_slug_key unique (slug)
);
create index gig_of_owner on gig (workspace_id, owner_id, id);
create trigger gig_version before update of updated_at on gig for each row execute function next_version();

create table gig_sample (
  gig_id uuid not null references gig on delete cascade,
  media_id uuid not null references media on delete cascade,
  position smallint not null,
  primary key (gig_id, position)
);
create index gig_sample_media on gig_sample (media_id);

create table signature (
  user_id uuid primary key references "user" on delete cascade,
  handle text not null,
  text text not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint signature_handle_key unique (handle)
);
create trigger signature_version before update of updated_at on signature for each row execute function next_version();

create type order_status as enum
  ('pending_payment', 'pending', 'in_progress', 'delivered', 'completed', 'canceled', 'disputed', 'expired');
create type order_party as enum ('buyer', 'seller', 'admin', 'system');
create type order_refund_status as enum ('pending', 'succeeded', 'failed');

create table gig_order (
  id uuid primary key default uuidv7(),
  gig_id uuid references gig on delete set null,
  seller_id uuid references "user" on delete set null,
  seller_workspace_id uuid references workspace on delete set null,
  -- Owner of the ledger accounts of the seller: ids of user and workspace, also after their deletion.
  seller_account text not null,
  buyer_id uuid references "user" on delete set null,
  buyer_workspace_id uuid references workspace on delete set null,
  -- Terms of the gig when it was ordered. Amounts in minor units.
  title text not null,
  price bigint not null check (price > 0),
  currency currency not null,
  delivery_days integer not null,
  fee_bps integer not null,
  platform_fee bigint not null check (platform_fee >= 0),
  seller_payout bigint not null check (seller_payout >= 0),
  revisions_allowed integer not null,
  revisions_used integer not null default 0,
  status order_status not null default 'pending_payment',
  requirements text,
  requirements_at timestamptz,
  paid_at timestamptz,
  -- Until then the seller accepts, or the order is canceled.
  accept_by timestamptz,
  accepted_at timestamptz,
  due_at timestamptz,
  delivered_at timestamptz,
  auto_complete_at timestamptz,
  -- Status before the dispute.
  disputed_from order_status,
  disputed_at timestamptz,
  completed_at timestamptz,
  -- The payout is cleared, so that the seller can request it.
  clears_at timestamptz,
  cleared_at timestamptz,
  canceled_at timestamptz,
  canceled_by order_party,
  cancel_reason text,
  -- Minor units to return or returned to the buyer.
  refund_amount bigint not null default 0,
  refund_status order_refund_status,
  -- Next time at which something happens by itself. Null: nothing does.
  timer_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint gig_order_split check (platform_fee + seller_payout = price),
  constraint gig_order_revisions check (revisions_used <= revisions_allowed),
  constraint gig_order_refund check (refund_amount between 0 and price)
);
create index gig_order_of_gig on gig_order (gig_id);
create index gig_order_of_seller on gig_order (seller_workspace_id, seller_id, id);
create index gig_order_of_buyer on gig_order (buyer_workspace_id, id);
create index gig_order_timer on gig_order (timer_at) where timer_at is not null;
create trigger gig_order_version before update of updated_at on gig_order
  for each row execute function next_version();

create table order_delivery (
  order_id uuid not null references gig_order on delete cascade,
  number integer not null,
  notes text not null,
  -- Posts, files and links as they were when they were delivered.
  posts jsonb not null,
  created_at timestamptz not null default now(),
  primary key (order_id, number)
);
