-- The server announced that its callback names the issuer (RFC 9207). One without is refused.
alter table account_connection add column names_issuer boolean not null default false;

-- The last sign-in that began with the app. Apps that are not in use are deleted after a time.
alter table server_app add column used_at timestamptz not null default now();
update server_app set used_at = created_at;
