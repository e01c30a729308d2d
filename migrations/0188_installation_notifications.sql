-- Notifications about the installation belong to no workspace. Instance admins get them.
alter table notification_event alter column workspace_id drop not null;
alter table notification alter column workspace_id drop not null;
