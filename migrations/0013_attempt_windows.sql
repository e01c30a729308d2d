-- Counts of attempts have windows of different lengths. Null: a count of a former version, over after a minute.
alter table auth_attempt add column ends_at timestamptz;
create index auth_attempt_ends on auth_attempt (ends_at);

-- A user's sign-in grants, among them the browsers that signed in before.
create index verification_value on verification (value);
