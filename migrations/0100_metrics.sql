-- The plan and the last reading of the numbers of a published post on one account.
create table post_metrics (
  target_id uuid primary key references post_target on delete cascade,
  account_id uuid not null references account on delete cascade,
  -- Null: nothing more is read.
  due_at timestamptz,
  -- Null until the first reading.
  read_at timestamptz,
  metrics jsonb not null default '{}',
  -- The network no longer had the post.
  is_absent boolean not null default false,
  -- The last attempt failed, and is repeated.
  error_code text,
  error_message text
);
create index post_metrics_due on post_metrics (due_at) where due_at is not null;
create index post_metrics_account on post_metrics (account_id, due_at);

create table post_metrics_reading (
  target_id uuid not null references post_metrics on delete cascade,
  read_at timestamptz not null,
  metrics jsonb not null,
  primary key (target_id, read_at)
);

create table account_metrics (
  account_id uuid primary key references account on delete cascade,
  due_at timestamptz,
  read_at timestamptz,
  metrics jsonb not null default '{}',
  error_code text,
  error_message text
);
create index account_metrics_due on account_metrics (due_at) where due_at is not null;

-- The last reading of each day (UTC).
create table account_metrics_day (
  account_id uuid not null references account_metrics on delete cascade,
  day date not null,
  metrics jsonb not null,
  primary key (account_id, day)
);

-- What was there before: rows of networks that report nothing are deleted when they are due.
insert into account_metrics (account_id, due_at)
  select id, now() from account where deleted_at is null;
insert into post_metrics (target_id, account_id, due_at)
  select post_target.id, account_id, now()
  from post_target join account on account.id = account_id
  where post_target.status = 'published' and post_target.external_id is not null and account.deleted_at is null
    and published_at > now() - interval '90 days';
