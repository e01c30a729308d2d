-- Until this time a call may still be deleting the post on its networks, so that nothing else is sent of it.
alter table post add column unpublishing_until timestamptz;
