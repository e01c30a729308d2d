-- Country of the public holidays of a workspace: an ISO 3166-1 code, or `none`. Null: the country of its time zone.
alter table workspace add column holiday_country text
  constraint workspace_holiday_country_check check (holiday_country ~ '^([A-Z]{2}|none)$');
create or replace trigger workspace_version before update of name, slug, default_currency, locale, timezone, billing_address,
  plan_code, deleted_at, color, picture_id, holiday_country on workspace for each row execute function next_version();
