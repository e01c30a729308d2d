-- Posts with the same text are found by this key: letters are compared without case, and white space as one space.
create function text_key(content text) returns uuid language sql immutable strict parallel safe as $$
  select md5(btrim(regexp_replace(lower(normalize(content, NFC) collate pg_c_utf8), '\s+', ' ', 'g')))::uuid
$$;
create index post_text on post (text_key(content), workspace_id, scheduled_at) where deleted_at is null;
create index post_target_text on post_target (account_id, text_key(content)) where content is not null;
