create or replace trigger user_version before update of email, name, locale, timezone, is_instance_admin, workspace_id,
  two_factor_enabled, banned_at, ban_reason, mail_post_failures on "user" for each row execute function next_version();
