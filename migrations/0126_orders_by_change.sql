-- The last change of the orders of a workspace, which open consoles ask for every few seconds.
create index gig_order_buyer_changed on gig_order (buyer_workspace_id, updated_at);
create index gig_order_seller_changed on gig_order (seller_workspace_id, updated_at);
