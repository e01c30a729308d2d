-- What a webhook has that is held or failed, and its tests that failed, are found without a look at all the rest. Neither
-- has an entry of what is simply delivered.
create index delivery_kept on delivery (webhook_id, state, id) where state <> 'waiting';
create index attempt_failed_test on attempt (webhook_id, delivery_id) where done and not ok;
