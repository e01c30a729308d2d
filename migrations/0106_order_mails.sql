-- When each side of an order was last mailed about what the other side can repeat.
create table order_mail (
  order_id uuid not null references gig_order on delete cascade,
  side order_party not null,
  kind text not null,
  mailed_at timestamptz not null,
  primary key (order_id, side, kind)
);
