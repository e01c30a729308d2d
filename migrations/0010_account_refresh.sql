-- When it was last told that renewing the session of an account failed; null once a renewal succeeded.
alter table account add column refresh_failed_at timestamptz;
