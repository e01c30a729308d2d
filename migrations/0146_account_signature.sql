-- Text that the composer puts at the end of new posts for the account.
alter table account add column signature text;
