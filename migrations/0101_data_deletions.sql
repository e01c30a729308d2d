-- Requests of people to delete what Meydan keeps of them, which networks pass on. Kept so that the person can check.
create table data_deletion (
  -- Secret: whoever has it sees the page of the request.
  code text primary key,
  network text not null,
  accounts integer not null,
  completed_at timestamptz not null
);
create index data_deletion_completed on data_deletion (completed_at);
