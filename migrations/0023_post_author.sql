-- Posts of an author in a workspace. The index is built while writes to the table wait: about a second for a million posts.
create index post_workspace_author on post (workspace_id, author_id, id) where deleted_at is null;
