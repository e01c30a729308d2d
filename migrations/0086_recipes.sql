create table recipe (
  id uuid primary key default uuidv7(),
  -- Language and name of the file of a recipe that comes with Meydan, such as `tr/menu-of-the-day`.
  built_in text constraint recipe_built_in_key unique,
  -- Null: it comes with Meydan.
  workspace_id uuid references workspace on delete cascade,
  creator_id uuid references "user" on delete set null,
  -- Null: it comes with Meydan, or the agent was deleted.
  agent_id uuid references agent on delete set null,
  -- Number of the newest version.
  version integer not null default 0,
  -- Copied from the newest version, because lists filter by them.
  category text not null,
  language text,
  search tsvector not null,
  -- Workspaces that installed it, without the one of its creator.
  install_count integer not null default 0,
  published boolean not null default true,
  taken_down_at timestamptz,
  take_down_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((workspace_id is null) = (built_in is not null))
);
create unique index recipe_agent_key on recipe (agent_id);
create index recipe_workspace on recipe (workspace_id, id);
create index recipe_creator on recipe (creator_id, id);
create index recipe_installs on recipe (install_count, id) where published and taken_down_at is null;
create index recipe_newest on recipe (id) where published and taken_down_at is null;
create index recipe_search on recipe using gin (search);

-- A version is never changed. Agents refer to the one that they were installed from.
create table recipe_version (
  recipe_id uuid not null references recipe on delete cascade,
  version integer not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  primary key (recipe_id, version)
);

create table recipe_install (
  recipe_id uuid not null references recipe on delete cascade,
  workspace_id uuid not null references workspace on delete cascade,
  created_at timestamptz not null default now(),
  primary key (recipe_id, workspace_id)
);
create index recipe_install_workspace on recipe_install (workspace_id);

alter table agent
  add column recipe_id uuid,
  add column recipe_version integer,
  add foreign key (recipe_id, recipe_version) references recipe_version on delete set null (recipe_id, recipe_version);
create index agent_recipe on agent (recipe_id, recipe_version) where recipe_id is not null;

create type recipe_report_reason as enum ('spam', 'unsafe', 'illegal', 'copyright', 'offensive', 'other');
create type recipe_report_status as enum ('open', 'dismissed', 'upheld');

create table recipe_report (
  id uuid primary key default uuidv7(),
  recipe_id uuid not null references recipe on delete cascade,
  reporter_id uuid references "user" on delete set null,
  reason recipe_report_reason not null,
  text text not null default '',
  status recipe_report_status not null default 'open',
  decided_by uuid references "user" on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint recipe_report_key unique (recipe_id, reporter_id)
);
create index recipe_report_reporter on recipe_report (reporter_id, id);
create index recipe_report_open on recipe_report (recipe_id) where status = 'open';

create function recipe_search(body jsonb) returns tsvector immutable strict parallel safe language sql
  return array_to_tsvector(search_words(
    concat_ws(' ', body ->> 'name', left(body ->> 'description', 2000), body ->> 'tags')));

-- The condition of a search. Each word finds words that begin with it, as Turkish adds endings; words of one or two
-- letters find themselves. Null without a word.
create function words_query(search text) returns tsquery immutable parallel safe language sql
  return (
    select string_agg('''' || word || case when length(word) < 3 then '''' else ''':*' end, ' & ')::tsquery
    from unnest(search_words(search)) as word);
