-- Notes of a team on days of its calendar, such as a campaign or a day on which nobody works.
create table calendar_note (
  id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  created_by uuid references "user" on delete set null,
  -- A day of the calendar, without a zone.
  day date not null,
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create index calendar_note_day on calendar_note (workspace_id, day, id);
create index calendar_note_created_by on calendar_note (created_by) where created_by is not null;
create trigger calendar_note_version before update of updated_at on calendar_note
  for each row execute function next_version();
