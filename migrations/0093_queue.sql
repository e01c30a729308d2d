-- The times of the week at which the queue of an account publishes.
create table posting_times (
  account_id uuid primary key references account on delete cascade,
  timezone text not null,
  -- A list of `{"weekday": "monday", "time": "09:30"}` in the order of the week.
  times jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create trigger posting_times_version before update of updated_at on posting_times
  for each row execute function next_version();

-- The time that the queue has chosen. The post is in the queue while it is scheduled for this time.
alter table post add column queued_for timestamptz;
