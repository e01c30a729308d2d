-- Lists of posts by account, and events by type. Each index is built while writes to its table wait: about a second for
-- a million targets, and two for a million events.
create index post_target_listed on post_target (account_id, post_id);
create index event_type on event (workspace_id, type, id);
