-- The next time of its schedule that an agent misses while it is disabled, and how many it has missed. Null: none is noted.
alter table agent add column missed_at timestamptz;
alter table agent add column missed_slots smallint not null default 0;
create index agent_missed on agent (missed_at) where not is_active and missed_at is not null;
