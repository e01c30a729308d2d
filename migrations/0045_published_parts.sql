-- What was published before there were threads has one part.
update post_target set published_parts = 1 where status = 'published' and published_parts = 0;
