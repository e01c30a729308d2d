-- `video`: is being made by the generation `video_id`, or will be. No reference: generations are erased after 90 days.
alter type agent_picture add value 'video';
alter table agent_item add column video_id uuid;
