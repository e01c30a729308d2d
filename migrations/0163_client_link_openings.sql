-- Openings of a link: exchanges of its secret, which need its whole address and a browser that runs its page. A node of a
-- former version writes only opened_at.
alter table client_link add column opened_count integer not null default 0;
update client_link set opened_count = (select count(*) from client_link_session where client_link_id = client_link.id)
  where opened_at is not null;
