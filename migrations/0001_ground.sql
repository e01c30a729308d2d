-- Random keys, each wrapped with a key derived from SECRET_KEY. One per purpose is current: the newest.
create table keyring (
  id text primary key,
  purpose text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  constraint keyring_current unique (purpose, created_at)
);

-- Processes that work on jobs. The jobs of one that fell silent are freed by the others.
create table worker_node (
  id uuid primary key,
  worker_ids text[] not null,
  seen_at timestamptz not null default now()
);

-- Who did what, from where. Rows are only ever added.
create table audit_entry (
  id uuid primary key default uuidv7(),
  at timestamptz not null default now(),
  workspace_id uuid,
  actor_id uuid,
  token_id uuid,
  action text not null,
  target_id text,
  details jsonb not null default '{}',
  ip inet,
  user_agent text
);
create index audit_entry_workspace on audit_entry (workspace_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();

create type mail_state as enum ('kept', 'queued', 'sent', 'failed');

-- Every mail that Meydan wrote, with what became of it. 'kept': there was no mail server to send it to.
create table mail (
  id uuid primary key default uuidv7(),
  to_address text not null,
  to_name text not null default '',
  key text not null,
  locale text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  state mail_state not null,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
