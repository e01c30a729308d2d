-- The client's address and language, for mails about posts that wait. `sealed_secret`: the secret of the link, which the
-- mails have. Both are erased when the link ends.
alter table client_link add column client_email text;
alter table client_link add column locale text;
alter table client_link add column sealed_secret text;
-- `v1$<key id>$<HMAC-SHA256>` of the client's mailbox with a key of the purpose `unsubscribe`. Outlives the address, so that
-- the client can stop the mails of the workspace also after the link has ended.
alter table client_link add column client_email_hash text;
-- The client has stopped the mails of the workspace.
alter table client_link add column mails_stopped_at timestamptz;
create index client_link_stopped on client_link (workspace_id, client_email_hash) where mails_stopped_at is not null;
-- The last mail about posts of which the client did not know.
alter table client_link add column asked_at timestamptz;

-- Posts that wait for the client of a link with an address, and the mails about them. Posts of one mail have the same
-- `asked_at`. A post that no longer waits, or that says something else, is deleted from here.
create table client_link_post (
  client_link_id uuid not null references client_link on delete cascade,
  post_id uuid not null references post on delete cascade,
  content_hash text not null,
  seen_at timestamptz not null,
  asked_at timestamptz,
  -- Two days after `asked_at`.
  reminded_at timestamptz,
  -- A day before the first time of the posts of the mail.
  last_reminded_at timestamptz,
  primary key (client_link_id, post_id)
);
create index client_link_post_post on client_link_post (post_id);

-- Posts that calendar feeds show as canceled for a week after their deletion, written when the post is erased. What a feed
-- needs to find them, and no texts.
create table calendar_cancellation (
  post_id uuid primary key,
  workspace_id uuid not null references workspace on delete cascade,
  account_ids uuid[] not null,
  labels text[] not null,
  was_approved boolean not null,
  time timestamptz not null,
  version integer not null,
  deleted_at timestamptz not null
);
create index calendar_cancellation_workspace on calendar_cancellation (workspace_id);
create index calendar_cancellation_deleted on calendar_cancellation (deleted_at);
