-- Id of the person at the network, where the network names people in its calls to Meydan, or ends all sign-ins of one
-- at once. Null: not known.
alter table oauth_grant add column external_user_id text;
create index oauth_grant_person on oauth_grant (network, external_user_id) where external_user_id is not null;
alter table account_connection add column external_user_id text;
create index account_connection_person on account_connection (network, external_user_id)
  where external_user_id is not null;

-- No account uses the grant any more. It stays until its tokens are revoked at the network, also longer than its
-- workspace.
alter table oauth_grant add column released_at timestamptz;
create index oauth_grant_released on oauth_grant (released_at) where released_at is not null;
alter table oauth_grant alter column workspace_id drop not null;

-- The accounts of this network are the people themselves.
update oauth_grant set external_user_id = account.external_id
  from account where account.grant_id = oauth_grant.id and oauth_grant.network = 'threads';
