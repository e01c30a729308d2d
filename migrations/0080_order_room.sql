create type order_proposal_status as enum ('open', 'accepted', 'rejected', 'withdrawn', 'expired');

-- A refund that one side proposes and the other accepts.
create table order_proposal (
  id uuid primary key default uuidv7(),
  order_id uuid not null references gig_order on delete cascade,
  proposed_by order_party not null,
  -- Minor units.
  refund_amount bigint not null check (refund_amount > 0),
  reason text not null,
  status order_proposal_status not null default 'open',
  expires_at timestamptz not null,
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index order_proposal_of_order on order_proposal (order_id, id);
create unique index order_proposal_open on order_proposal (order_id) where status = 'open';
create index order_proposal_due on order_proposal (expires_at) where status = 'open';

create type order_dispute_status as enum ('open', 'withdrawn', 'resolved');

create table order_dispute (
  id uuid primary key default uuidv7(),
  order_id uuid not null references gig_order on delete cascade,
  opened_by order_party not null,
  reason text not null,
  status order_dispute_status not null default 'open',
  -- Minor units that the buyer got. Null unless resolved.
  refund_amount bigint,
  note text,
  resolved_by_id uuid references "user" on delete set null,
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index order_dispute_of_order on order_dispute (order_id, id);
create unique index order_dispute_open on order_dispute (order_id) where status = 'open';
create index order_dispute_status on order_dispute (status, id);

create table order_message (
  id uuid primary key default uuidv7(),
  order_id uuid not null references gig_order on delete cascade,
  side order_party not null,
  author_id uuid references "user" on delete set null,
  text text not null,
  media_ids uuid[] not null default '{}',
  -- What happened, of messages that Meydan wrote. Clients render them.
  code text,
  details jsonb,
  created_at timestamptz not null default now()
);
create index order_message_of_order on order_message (order_id, id);

-- Files that both sides of an order can read. They are not deleted.
create table order_file (
  order_id uuid not null references gig_order on delete cascade,
  media_id uuid not null references media on delete cascade,
  primary key (order_id, media_id)
);
create index order_file_media on order_file (media_id);

-- What a side has read, and when it was last mailed about messages.
create table order_reader (
  order_id uuid not null references gig_order on delete cascade,
  side order_party not null,
  read_until uuid,
  mailed_at timestamptz,
  primary key (order_id, side)
);

create table order_review (
  id uuid primary key default uuidv7(),
  order_id uuid not null references gig_order on delete cascade,
  gig_id uuid references gig on delete set null,
  -- The side that wrote it.
  side order_party not null,
  author_id uuid references "user" on delete set null,
  rating smallint not null check (rating between 1 and 5),
  text text not null,
  -- Of the other side.
  reply text,
  replied_at timestamptz,
  -- It is published then at the latest.
  publish_at timestamptz not null,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  constraint order_review_key unique (order_id, side)
);
create index order_review_of_gig on order_review (gig_id, id) where side = 'buyer' and published_at is not null;
create index order_review_due on order_review (publish_at) where published_at is null;
