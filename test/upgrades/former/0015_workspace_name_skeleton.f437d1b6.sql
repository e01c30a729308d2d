-- What a name looks like: names with the same skeleton cannot be told apart by sight. Compatibility forms, letter case,
-- invisible characters and repeated blanks do not count, and Greek, Cyrillic and Armenian letters count as the Latin
-- ones that they look like. The pairs are those of Unicode (UTS 39, confusables.txt) that are one letter each, and the
-- small Cyrillic and Greek letters that look like Latin capitals. Letters of Latin alphabets, such as ı and ş, stay
-- different: they make different words. The collation is named, so that every database folds alike.
create function name_skeleton(name text) returns text language sql immutable parallel safe as $$
  select btrim(regexp_replace(regexp_replace(
    normalize(casefold(translate(normalize(name, NFKC),
      'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿαγικνορστυχϳ' || 'ЅІЈАВЕКМНОРСТУХҮӀԌԜЬѴавгекмнорстухѕіјѡѵүһӏԁԛԝь' || 'ՍՏՕզգհոսօցքա' || 'ɑɡᴄᴏᴠᴡᴢꜱ',
      'ABEZHIKMNOPTYXJayiknopotuxj' || 'SIJABEKMHOPCTYXYIGWBVabrekmhopctyxsijwvyhidqwb' || 'USOqqhnuogfw' || 'agcovwzs'
    ) collate pg_unicode_fast), NFKC),
    '(?<=i)\u0307|[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'),
    '\s+', ' ', 'g'))
$$;

-- Null: the name had a look-alike before skeletons were compared. It is compared once it changes.
alter table workspace add column name_skeleton text;
update workspace set name_skeleton = first.skeleton
from (
  select distinct on (name_skeleton(name)) id, name_skeleton(name) as skeleton
  from workspace order by name_skeleton(name), id
) first
where first.id = workspace.id;
create unique index workspace_name_skeleton_key on workspace (name_skeleton);

create function set_name_skeleton() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.name <> old.name then
    new.name_skeleton := name_skeleton(new.name);
  end if;
  return new;
end $$;
create trigger workspace_name_skeleton before insert or update of name on workspace
  for each row execute function set_name_skeleton();
