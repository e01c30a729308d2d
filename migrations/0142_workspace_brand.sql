-- What models are given when they write for a workspace.
create table workspace_brand (
  workspace_id uuid primary key references workspace on delete cascade,
  about text,
  audience text,
  voice text,
  use_words text[] not null,
  avoid_words text[] not null,
  never_mention text[] not null,
  links text[] not null,
  hashtags text[] not null,
  languages text[] not null,
  liked_posts text[] not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create trigger workspace_brand_version before update of updated_at on workspace_brand
  for each row execute function next_version();
