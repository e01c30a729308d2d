-- Apart from 0007, because these tables are large where Meydan has run for long, and reading them takes its time: what
-- that migration locks is free by then.

-- The audit log: read by workspace, or by what belongs to none; narrowed by actor and action. audit_entry_person is for
-- all that somebody did, wherever: the others would have to be asked for each workspace.
create index audit_entry_actor on audit_entry (workspace_id, actor_id, id) where workspace_id is not null;
create index audit_entry_action on audit_entry (workspace_id, action, id) where workspace_id is not null;
create index audit_entry_instance on audit_entry (id) where workspace_id is null;
create index audit_entry_instance_actor on audit_entry (actor_id, id) where workspace_id is null;
create index audit_entry_instance_action on audit_entry (action, id) where workspace_id is null;
create index audit_entry_person on audit_entry (actor_id, id);

create index post_author on post (author_id, id);
create index mail_address on mail (to_address, id);
