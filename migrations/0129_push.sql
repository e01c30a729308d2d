-- The key pair by which push services know this installation. The private half is sealed.
create table push_key (
  id uuid primary key default uuidv7(),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);
-- There is one pair: a browser that subscribed with it takes no messages signed with another.
create unique index push_key_single on push_key ((true));

-- The browsers to which notifications are pushed. One ends with the session in which it was made.
create table push_subscription (
  id uuid primary key default uuidv7(),
  user_id uuid not null references "user" on delete cascade,
  session_id uuid not null constraint push_subscription_session_key unique references session on delete cascade,
  -- Address at the push service of the browser. Whoever knows it can send to it.
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
