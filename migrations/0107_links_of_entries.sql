-- An entry of a feed is known by its link too: feeds change their ids, or lose them.
alter table agent_source_item add column link_hash text;
