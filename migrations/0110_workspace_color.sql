create type workspace_color as enum ('teal', 'blue', 'indigo', 'violet', 'pink', 'red', 'orange', 'green');

-- Without a color, a workspace is shown in one that follows from its id.
-- The picture is a file of the workspace. It is no reference, because files refer to their workspace; one that was
-- deleted is not shown.
alter table workspace add column color workspace_color, add column picture_id uuid;
create or replace trigger workspace_version before update of name, slug, default_currency, locale, timezone, billing_address,
  plan_code, deleted_at, color, picture_id on workspace for each row execute function next_version();
