-- The tokens were issued to the app of the workspace. Null: they are older than this column.
alter table oauth_grant add column with_own_app boolean;
-- A workspace has no app of its own at a server that somebody names.
update oauth_grant set with_own_app = false where server is not null;

-- SHA-256 of the id of the client with which the sign-in began. The app can be replaced before the browser comes back.
-- Null: the sign-in is older than this column.
alter table account_connection add column client_id_hash text;
