-- When an open checkout was last read from its provider, so that the next read comes soon but not with every poll.
alter table checkout add column read_at timestamptz;
