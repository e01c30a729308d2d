-- A change of one occurrence and those that follow ends a recurring post, and begins another one.
alter table recurring_post add column split_from uuid references recurring_post on delete set null;
create index recurring_post_split on recurring_post (split_from) where split_from is not null;
