-- The buyer can open a dispute of the completed order until then. Null: not at all. `disputed_from` is `completed` while
-- such a dispute is open: the earnings of the seller are held.
alter table gig_order add column dispute_until timestamptz;
create index gig_order_held on gig_order (seller_account) where disputed_from = 'completed';
