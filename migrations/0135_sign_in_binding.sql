-- State that the protocol of a network keeps from the start of a sign-in until its callback, such as the key that tokens
-- are bound to. It is sealed.
alter table account_connection add column binding text;
