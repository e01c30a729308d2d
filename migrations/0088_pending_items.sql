create index agent_item_pending on agent_item (updated_at) where status = 'pending';
