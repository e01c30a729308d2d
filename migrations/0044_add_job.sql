-- Adds a job with plans that are kept. PostgreSQL would plan the statements of graphile_worker.add_job anew for every
-- call, because they look cheaper with the values of the call: that takes longer than running them.
create function add_job(identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, job_key text,
  job_key_mode text) returns void language plpgsql set plan_cache_mode = 'force_generic_plan' as $$
begin
  perform graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, job_key,
    job_key_mode => job_key_mode);
end $$;
