-- Picture of the account on its network, as WebP.
alter table account add column avatar bytea;
