-- Set by a restore: nothing is published, sent, charged or mailed until an instance admin releases the installation.
create table installation_hold (
  -- There is one installation.
  id boolean primary key default true check (id),
  -- The time of the backup. What happened after it is not known.
  data_until timestamptz not null,
  restored_at timestamptz not null default now()
);
