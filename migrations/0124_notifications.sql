-- What members of a workspace are told about. Not partitioned, so that its key is unique however often a cause is reported.
create table notification_event (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  kind text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- Name of the subject at that time: the beginning of a post, the title of an order.
  subject_name text not null,
  -- Why it happened; for an order, what happened.
  detail text,
  -- Members who are told: those with one of these roles, and these people.
  told_roles text[] not null default '{}',
  told_users uuid[] not null default '{}',
  -- Roles that may read it, whoever was told.
  reader_roles text[] not null,
  -- The member who acted, who is not told. Null: nobody, or a user who no longer exists.
  actor_id uuid references "user" on delete set null,
  -- Notifications with the same key are shown as one.
  group_key text not null,
  -- Names the cause, so that reporting it again changes nothing.
  dedupe_key text not null constraint notification_event_dedupe_key unique,
  created_at timestamptz not null
);
create index notification_event_workspace on notification_event (workspace_id);
create index notification_event_actor on notification_event (actor_id) where actor_id is not null;
create index notification_event_created on notification_event (created_at);

-- One row for each person and event.
create table notification (
  user_id uuid not null references "user" on delete cascade,
  event_id uuid not null references notification_event on delete cascade,
  workspace_id uuid not null,
  group_key text not null,
  -- Whether it is listed in the console.
  in_console boolean not null,
  -- The mail that it waits for. Null: none, or it was sent or dropped.
  mail text check (mail in ('now', 'digest')),
  read_at timestamptz,
  primary key (user_id, event_id)
);
create index notification_event_id on notification (event_id);
create index notification_workspace_user on notification (workspace_id, user_id);
create index notification_unread on notification (user_id, group_key) where read_at is null and in_console;
create index notification_mail on notification (user_id, event_id) where mail is not null;
