-- Id at the provider of the price that was agreed for the next period, where Meydan sets it there. What an instance
-- admin changes at the plan later does not move it.
alter table subscription add column price_ref text, add column pending_price_ref text;
alter table checkout add column price_ref text;
