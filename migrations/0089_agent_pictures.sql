-- `image`, `card`: made next, by an image model or by Meydan.
create type agent_picture as enum ('image', 'card', 'added', 'left_out');
alter table agent_item add column picture agent_picture;
-- Reason for which a picture was left out, or a card took the place of an image.
alter table agent_item add column picture_reason text;
