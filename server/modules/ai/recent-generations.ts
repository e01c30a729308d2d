import { sql } from 'kysely'
import type { Reading } from '../../lib/runtime/installation-metrics.ts'

/** Ids begin with the time of their row, so the primary key finds those of the last hour. */
export const recentGenerations: Reading = {
  query: sql`
    select coalesce(provider::text, '') as provider, state::text as outcome, count(*) as generations_hour,
      avg(extract(epoch from ended_at - ai_generation.created_at)) as generations_hour_mean_seconds,
      sum(credits) as generations_hour_credits
    from ai_generation left join ai_model on ai_model.id = model_id
    where ai_generation.id >= uuid_at(now() - interval '1 hour') and state <> 'running' group by 1, 2`,
  labels: ['provider', 'outcome'],
  gauges: {
    generations_hour: 'Generations that began in the last hour and have ended, by AI provider and outcome.',
    generations_hour_mean_seconds: 'Time that these took on average.',
    generations_hour_credits: 'Credits that they used.',
  },
}
