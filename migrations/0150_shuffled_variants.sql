-- Variants can take turns in an order that is shuffled anew each time all of them were used.
alter table recurring_post add column variant_order text not null default 'in_order';
-- How many times all variants were used: with the id, the seed of the order.
alter table recurring_post add column variant_round integer not null default 0;
