-- Posts with the same text are found by this key: letters are compared without case, and white space as one space. Only the
-- beginning of a text counts, so that the indexes are built and kept cheaply. PL/pgSQL and the cost keep PostgreSQL from
-- putting the expression in place of the call and computing it again for each pair of rows.
create function text_key(content text) returns uuid language plpgsql immutable strict parallel safe cost 5000 as $$
begin
  return md5(btrim(regexp_replace(lower(normalize(left(content, 2000), NFC) collate pg_c_utf8), '\s+', ' ', 'g')))::uuid;
end
$$;
create index post_text on post (text_key(content), workspace_id, scheduled_at) where deleted_at is null;
create index post_target_text on post_target (account_id, text_key(content)) where content is not null;
