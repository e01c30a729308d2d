-- A checkout pays a plan or an order.
alter table checkout
  alter column plan_code drop not null,
  alter column billing_period drop not null,
  alter column period_amount drop not null,
  add column order_id uuid references gig_order on delete cascade,
  -- Line that the payer of an order sees.
  add column description text,
  add constraint checkout_subject check (
    case when purpose = 'order' then order_id is not null and description is not null and plan_code is null and subscription_id is null
    else order_id is null and plan_code is not null and billing_period is not null and period_amount is not null end
  );
drop index checkout_open;
create unique index checkout_open on checkout (workspace_id) where status = 'open' and purpose in ('start', 'change');
create unique index checkout_of_order on checkout (order_id) where order_id is not null;

alter table payment_request
  alter column plan_code drop not null,
  add column order_id uuid references gig_order on delete cascade,
  add constraint payment_request_subject check ((plan_code is null) <> (order_id is null));

-- Kept when the order is erased, as the ledger names it.
alter table payment add column order_id uuid;
create index payment_of_order on payment (order_id) where order_id is not null;
