-- The last run whose text about this entry, or about one of several with it, was refused. A run that consumed entries in
-- this way does not count as a failure of its agent.
alter table agent_source_item add column refused_in_run uuid;
create index agent_source_item_refused on agent_source_item (refused_in_run) where refused_in_run is not null;
