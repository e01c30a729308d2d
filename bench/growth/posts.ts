import type { Deps } from '../../server/lib/deps.ts'
import { envelopeAfterId } from '../../server/lib/events/emit.ts'
import { runLongStatement } from '../meydan.ts'
import type { Dataset, Statement } from './dataset.ts'

/** Posts are spread over this many days, a twentieth of them in the future. */
const POST_DAYS = 1000
/** Events and attempts are spread over this many past days, fewer than the days for which they are kept. */
const EVENT_DAYS = 28

/**
 * The statements that write posts and what they leave behind, each with its parameters. One post in a thousand is for the
 * rare account and has the rare word and the rare label; half of them have the label spring.
 */
export const postStatements = (
  { workspace_id, accounts }: Dataset,
  user_id: string,
  posts: number,
): Record<string, Statement> => ({
  posts: [
    `insert into post (id, workspace_id, author_id, content, labels, status, review, scheduled_at, published_at, created_at, updated_at)
    select uuidv7(created), $1, $2,
      'Post ' || n || ' about fresh simit, with a sentence that is as long as one usually is.'
        || case when n % 1000 = 7 then ' A truffle.' else '' end,
      case when n % 1000 = 7 then '{spring,rare}' when n % 2 = 0 then '{spring}' else '{}' end::text[],
      status::post_status, review::post_review, case when status <> 'draft' then due end, case when status like '%published' then due end,
      now() + created, date_trunc('milliseconds', now() + created)
    from (
      select n, date_trunc('milliseconds', now() + part * interval '1 day' * ${POST_DAYS}) as due,
        least(part, 0) * interval '1 day' * ${POST_DAYS} - interval '1 minute' as created,
        case when part > 0 then 'scheduled' when n % 20 = 3 then 'draft' when n % 50 = 4 then 'failed'
          when n % 100 = 5 then 'partially_published' else 'published' end as status,
        case when n % 40 = 3 then 'pending' when n % 100 = 6 then 'approved' when n % 100 = 8 then 'rejected' else 'none' end as review
      from (select n, n / $3::float8 - 0.95 as part from generate_series(1, $3::int) as n) as numbered
    ) as made`,
    [workspace_id, user_id, posts],
  ],
  targets: [
    `insert into post_target (post_id, account_id, position, status, attempts, published_at)
    select id, case when content like '%truffle%' then ($2::uuid[])[3] else ($2::uuid[])[1 + n % 2] end, 0,
      case when published_at is null then 'pending' else 'published' end::target_status, 1, published_at
    from (select *, row_number() over () as n from post where workspace_id = $1) as post`,
    [workspace_id, accounts],
  ],
  'published posts': [
    `insert into playground_post (id, workspace_id, account_id, attempt_key, content, created_at)
    select uuidv7(published_at - now()), $1, account_id, post_id::text, 'Published', published_at from post_target
    where published_at is not null and account_id = any($2)`,
    [workspace_id, accounts],
  ],
  media: [
    `insert into media (id, workspace_id, uploaded_by_id, kind, mime, extension, bytes, width, height, name, alt, labels,
      sha256, created_at, deleted_at)
    select uuidv7(age), $1, $2, case when n % 1000 = 7 then 'video' else 'image' end::media_kind, 'image/webp', 'webp', 1000,
      100, 100, 'simit-' || n || case when n % 1000 = 7 then '-truffle' else '' end, 'A simit',
      case when n % 1000 = 7 then '{spring,rare}' when n % 2 = 0 then '{spring}' else '{}' end::text[], $1::uuid || '/' || n,
      now() + age, case when n % 20 = 3 then now() - interval '1 hour' end
    from generate_series(1, $3::int / 10 + 1000) as n, make_interval(mins => -n) as age`,
    [workspace_id, user_id, posts],
  ],
  'audit log': [
    `insert into audit_entry (id, at, workspace_id, actor_id, action, target_id)
    select uuidv7(age), now() + age, $1, $2, case when n % 1000 = 7 then 'webhook.updated' else 'post.created' end, n::text
    from generate_series(1, $3::int) as n, make_interval(secs => (n - $3::int) * 86400.0 * ${POST_DAYS} / $3::int) as age`,
    [workspace_id, user_id, posts],
  ],
  generations: [
    `insert into ai_generation
      (id, workspace_id, user_id, kind, state, credits, counted_in, leased_until, created_at, ended_at)
    select uuidv7(age), $1, $2, 'text', case when n % 50 = 0 then 'failed' else 'succeeded' end::generation_state, 1,
      now(), now() + age, now() + age, now() + age
    from generate_series(1, $3::int / 10) as n,
      make_interval(secs => (n - $3::int / 10) * 600.0 * ${POST_DAYS} / $3::int) as age`,
    [workspace_id, user_id, posts],
  ],
})

/** Two events for each post, and an attempt for each event. One event in ten thousand has the rare type. */
const EVENTS = `with made as (
    insert into event (id, workspace_id, type, payload, created_at)
    select uuidv7(age), $1, case when n % 10000 = 7 then 'account.disconnected' when n % 2 = 0 then 'post.created'
        else 'post.published' end,
      $6 || repeat('x', 300) || '"}}}', now() + age
    from generate_series($3::int, $4::int) as n, make_interval(secs => (n - $5::int) * 86400.0 * ${EVENT_DAYS} / $5::int) as age
    returning id, type, created_at
  ), attempted as (
    insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms)
    select $2::uuid, uuidv7(created_at - now()), 1, id, type, 'schedule', created_at, random() > 0.01, true, 200, 20 from made
    returning delivery_id, event_id, type, ok
  )
  insert into delivery (id, webhook_id, event_id, type, state, attempts, run_at)
  select delivery_id, $2::uuid, event_id, type, 'failed', 1, now() from attempted where not ok`

/** Moves what ran out of attempts from the attempts to the deliveries, where Meydan keeps it. */
const ENDED = 'update attempt set done = false where webhook_id = $1 and not ok'

/** Deliveries that wait and that are held: as many in each workspace, as no worker lets them grow. */
const OPEN = `insert into delivery (webhook_id, event_id, type, state, run_at)
  select $1, uuidv7(), 'post.created', (case when n % 2 = 0 then 'waiting' else 'held' end)::delivery_state, now()
  from generate_series(1, 100) as n`

/** Creates the partitions of past days, as a node that ran on those days did: each call creates those of 16 days. */
export async function createPastPartitions({ pool }: Deps) {
  for (const days of [EVENT_DAYS - 1, EVENT_DAYS / 2])
    await pool.query(`select keep_partitions(now() - make_interval(days => $1), interval '30 days')`, [days])
}

const STEP = 200_000

/** Writes two events for each post, with their deliveries. */
export async function fillEvents({ pool }: Deps, dataset: Dataset, posts: number, log: (line: string) => void) {
  const { workspace_id, webhook } = dataset
  const data = `{"post":{"id":"${workspace_id}","content":"`
  const event = { type: 'post.created', workspace_id, at: new Date(), data } as const
  const payload = `{"id":"${workspace_id}${envelopeAfterId(event).slice(0, -1)}`
  const events = posts * 2
  for (let first = 1; first <= events; first += STEP) {
    const last = Math.min(first + STEP - 1, events)
    await runLongStatement(pool, EVENTS, [workspace_id, webhook, first, last, events, payload])
    log(`${posts} posts: ${last} of ${events} events`)
  }
  await runLongStatement(pool, ENDED, [webhook])
  await runLongStatement(pool, OPEN, [webhook])
}
