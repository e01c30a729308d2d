-- The key pair by which push services know this installation. The private half is sealed.
create table push_key (
  id uuid primary key default uuidv7(),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);
-- There is one: what browsers subscribed with cannot be exchanged.
create unique index push_key_single on push_key ((true));

-- The browsers to which notifications are pushed. One ends with the session in which it was made.
create table push_subscription (
  id uuid primary key default uuidv7(),
  user_id uuid not null references "user" on delete cascade,
  session_id uuid not null constraint push_subscription_session_key unique references session on delete cascade,
  -- Address at the push service of the browser, which only the browser and we know.
  endpoint text not null constraint push_subscription_endpoint_key unique,
  -- The public key and the secret of the browser, with which messages are encrypted.
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  -- Time of the last message that the push service accepted.
  used_at timestamptz,
  -- Since when none was accepted, if the last one was not.
  failing_since timestamptz
);
create index push_subscription_user on push_subscription (user_id);

-- What users chose for pushing kinds of notifications, apart from the other channels, whose check former versions need. A
-- kind without a row has the default in code.
create table push_preference (
  user_id uuid not null references "user" on delete cascade,
  kind text not null,
  mode text not null check (mode in ('now', 'off')),
  primary key (user_id, kind)
);
