-- App that Meydan registered by itself at one server of a network that has many. Accounts of that server sign in with
-- it. Id and secret are sealed. It is registered anew when the server has forgotten it.
create table server_app (
  id uuid primary key default uuidv7(),
  network text not null,
  -- Origin of the server.
  server text not null,
  -- The address to which the server sends browsers back. With another one it needs another app.
  redirect_uri text not null,
  client_id text not null,
  client_secret text not null,
  -- Permissions that the app was registered for: servers know different ones.
  scopes text[] not null,
  created_at timestamptz not null default now(),
  -- Another app has taken its place for further sign-ins. It still renews and revokes the tokens that it issued.
  replaced_at timestamptz
);
create unique index server_app_current on server_app (network, server, redirect_uri) where replaced_at is null;

-- Origin of the server at which somebody signs in; null for networks with one server.
alter table account_connection add column server text;
-- The server_app of this sign-in.
alter table account_connection add column server_app_id uuid;
alter table oauth_grant add column server text;
