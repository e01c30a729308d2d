-- The last nightly check of the ledger.
create table ledger_check (
  -- There is one ledger.
  id boolean primary key default true check (id),
  checked_at timestamptz not null,
  -- Problems with their code and detail, at most as many as a check reports. Empty when the ledger adds up.
  problems jsonb not null
);
