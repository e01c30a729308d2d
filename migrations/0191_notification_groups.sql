-- The notifications of one entry of the bell.
create index notification_group on notification (user_id, group_key, event_id) where in_console;
