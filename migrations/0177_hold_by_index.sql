-- PostgreSQL keeps the plan of a function's first calls. On a young table that was a scan of all posts, at each new target.
alter function hold_with_target() set enable_seqscan = off;
