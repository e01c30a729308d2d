-- End of an extension that an instance admin granted. Until then an unpaid invoice at the provider changes nothing.
alter table subscription add column extended_until timestamptz;
