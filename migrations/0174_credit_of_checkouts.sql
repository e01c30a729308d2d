-- Minor units that the price of a checkout is lower by, for the unused time of this plan and period.
alter table checkout
  add column credit bigint not null default 0 constraint checkout_credit check (credit >= 0),
  add column credit_plan_code text references plan,
  add column credit_period billing_period;
