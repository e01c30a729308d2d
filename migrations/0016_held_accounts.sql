-- The network limits the account: nothing is sent on it before this time.
alter table account add column held_until timestamptz;

-- What is due on an account and was not tried yet.
create index post_target_untried on post_target (account_id) where status = 'pending' and attempts = 0;
