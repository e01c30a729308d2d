-- The password of a client link, hashed like those of users. Null: the link asks for none. Erased when the link ends.
alter table client_link add column hashed_password text;
