-- Time of the mail that asks to sign in again before the tokens end.
alter table oauth_grant add column reminded_at timestamptz;
