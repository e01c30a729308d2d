create type gig_report_reason as enum ('spam', 'fraud', 'illegal', 'copyright', 'offensive', 'other');
create type gig_report_status as enum ('open', 'dismissed', 'upheld');

create table gig_report (
  id uuid primary key default uuidv7(),
  gig_id uuid not null references gig on delete cascade,
  reporter_id uuid references "user" on delete set null,
  reason gig_report_reason not null,
  text text not null default '',
  status gig_report_status not null default 'open',
  decided_by uuid references "user" on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint gig_report_key unique (gig_id, reporter_id)
);
create index gig_report_status on gig_report (status, id);
create index gig_report_reporter on gig_report (reporter_id);
