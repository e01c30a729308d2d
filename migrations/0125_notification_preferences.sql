-- What users chose for kinds of notifications. A kind without a row has the default in code.
create table notification_preference (
  user_id uuid not null references "user" on delete cascade,
  kind text not null,
  channel text not null check (channel in ('console', 'mail', 'push')),
  mode text not null check (mode in ('now', 'digest', 'off')),
  primary key (user_id, kind, channel),
  check (channel = 'mail' or mode <> 'digest')
);

-- Times on the clocks of the user, as `HH:MM`.
create table notification_schedule (
  user_id uuid primary key references "user" on delete cascade,
  digest_time text not null,
  -- Mails that are not urgent wait until the end of this span. Null: there is none.
  quiet_from text,
  quiet_until text,
  check ((quiet_from is null) = (quiet_until is null))
);

-- The address at which its reader stops mails of its kind, sent as List-Unsubscribe.
alter table mail add column unsubscribe_url text;
