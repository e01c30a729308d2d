-- What the model was asked for the newest text of a post, in the parts that people may read. Null: before this version.
alter table agent_item add column asked jsonb;
