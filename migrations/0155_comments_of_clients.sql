-- `client`: the clients of links that show the post read the comment, too. A reply has the audience of its discussion.
alter table post_comment add column audience text not null default 'team' check (audience in ('team', 'client'));
-- The link by which a client wrote it, and its name at that time. No foreign key: comments move with a workspace to another
-- installation, links do not.
alter table post_comment add column client_link_id uuid;
alter table post_comment add column client_name text;
-- The name that the client gave. Nobody has checked it.
alter table post_comment add column writer_name text;
