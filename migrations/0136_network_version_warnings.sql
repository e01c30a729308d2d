-- Versions of APIs of whose end instance admins were told by e-mail.
create table network_version_warning (
  -- Name in NETWORK_VERSIONS.
  setting text not null,
  version text not null,
  -- ending, or ended.
  state text not null,
  warned_at timestamptz not null,
  primary key (setting, version, state)
);
