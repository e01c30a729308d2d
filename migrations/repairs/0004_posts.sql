alter table post add column if not exists warnings jsonb not null default '[]';
