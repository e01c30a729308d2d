-- The server announced that its callback names the issuer (RFC 9207). One without is refused.
alter table account_connection add column names_issuer boolean not null default false;

-- The last sign-in that began with the app. Apps that are not in use are deleted after a time.
alter table server_app add column used_at timestamptz not null default now();
update server_app set used_at = created_at;
-- The server_app that issued the tokens. Null for networks with one server, and if they are older than this column.
alter table oauth_grant add column server_app_id uuid;
create index oauth_grant_server on oauth_grant (network, server) where server is not null;
