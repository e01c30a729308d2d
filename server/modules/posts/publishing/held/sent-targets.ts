import { sql } from 'kysely'

/** Whether a step began that readers would see. */
const hasSentStep = sql<boolean>`jsonb_path_exists(steps,
  '$[*] ? ((exists (@.part) || @.name like_regex "^(post|share) ") && !(@.is_limited == true))')`

/**
 * Whether readers can see what was sent of a target, or soon will. Files that were prepared at a network do not count,
 * nor what a network refused for its rate limit. A target that failed for certain was not sent.
 */
export const isSent = sql<boolean>`(published_parts > 0 or case status
  when 'failed' then needs_resolution or error_code is not distinct from 'unconfirmed'
  when 'published' then true
  when 'unconfirmed' then true
  else ${hasSentStep} end)`

/**
 * Whether a target waits until its post is held: the agent that scheduled it was stopped, nobody decided about the post,
 * and nothing was sent. For a search of `post` and `post_target`.
 */
export const isStopped = sql<boolean>`(post.agent_run_id is not null and post.updated_by_id is null
  and post.review = 'none' and exists (select from agent_run where id = post.agent_run_id and agent_run.is_stopped)
  and not (select ${isSent} from (values (post_target.published_parts, post_target.status, post_target.needs_resolution,
    post_target.error_code, post_target.steps)) as own (published_parts, status, needs_resolution, error_code, steps)))`
