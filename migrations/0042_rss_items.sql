-- Posts in the feeds of accounts.
create table rss_item (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account,
  attempt_key uuid not null constraint rss_item_attempt_key unique,
  -- Empty: the first line of the text.
  title text not null,
  content text not null,
  link text,
  -- Of each file: address, type, bytes, kind and alternative text, as they were when the post was published.
  files jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The row of a removed item stays without its content, so that readers notice a change.
  removed_at timestamptz
);
create index rss_item_workspace on rss_item (workspace_id);
create index rss_item_account on rss_item (account_id, id) where removed_at is null;
create index rss_item_changed on rss_item (account_id, updated_at);
