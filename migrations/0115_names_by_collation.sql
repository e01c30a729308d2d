-- Names and codes are unique by this key. The collation is named: by that of the database, INFO and info were two names
-- in a Turkish one, and Iğdır and ığdır were one.
create or replace function name_key(name text) returns text language sql immutable strict parallel safe as $$
  select lower(normalize(name, NFC) collate pg_c_utf8)
$$;

drop index workspace_name_key;
drop index plan_code_key;
drop index snippet_name_key;

-- Of names that are equal now, the oldest stays as it is. The others get the next free number: Info, INFO 2, info 3.
do $$
declare
  younger record;
  number integer;
  renamed text;
begin
  for younger in
    select id, name from (
      select *, row_number() over (partition by name_key(name) order by created_at, id) as place from workspace
    ) where place > 1 order by created_at, id
  loop
    number := 1;
    loop
      number := number + 1;
      renamed := left(younger.name, 79 - length(number::text)) || ' ' || number;
      exit when not exists (
        select from workspace where name_key(name) = name_key(renamed) or name_skeleton = name_skeleton(renamed)
      );
    end loop;
    update workspace set name = renamed where id = younger.id;
  end loop;

  for younger in
    select id, workspace_id, name from (
      select *, row_number() over (partition by workspace_id, name_key(name) order by created_at, id) as place from snippet
    ) where place > 1 order by created_at, id
  loop
    number := 1;
    loop
      number := number + 1;
      renamed := left(younger.name, 79 - length(number::text)) || ' ' || number;
      exit when not exists (
        select from snippet where workspace_id = younger.workspace_id and name_key(name) = name_key(renamed)
      );
    end loop;
    update snippet set name = renamed, updated_at = now() where id = younger.id;
  end loop;

  -- The code of a plan is its key, so a copy under the new code takes over what refers to it.
  for younger in
    select code from (
      select *, row_number() over (partition by name_key(code) order by created_at, code) as place from plan
    ) where place > 1 order by created_at, code
  loop
    number := 1;
    loop
      number := number + 1;
      renamed := left(younger.code, 39 - length(number::text)) || '-' || number;
      exit when not exists (select from plan where name_key(code) = name_key(renamed));
    end loop;
    insert into plan select (jsonb_populate_record(plan, jsonb_build_object('code', renamed))).* from plan where code = younger.code;
    update workspace set plan_code = renamed where plan_code = younger.code;
    update subscription set plan_code = renamed where plan_code = younger.code;
    update subscription set pending_plan_code = renamed where pending_plan_code = younger.code;
    update checkout set plan_code = renamed where plan_code = younger.code;
    update payment_request set plan_code = renamed where plan_code = younger.code;
    update option set value = to_jsonb(renamed) where key = 'billing.default_plan' and value = to_jsonb(younger.code);
    delete from plan where code = younger.code;
  end loop;
end $$;

create unique index workspace_name_key on workspace (name_key(name));
create unique index plan_code_key on plan (name_key(code));
create unique index snippet_name_key on snippet (workspace_id, name_key(name));
