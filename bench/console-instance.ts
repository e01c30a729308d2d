import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { connectAccount } from '../server/modules/accounts/connect.ts'
import { createModel } from '../server/modules/ai/models/models.ts'
import { createPost } from '../server/modules/posts/posts.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { type Bench, createMany } from './harness.ts'
import { createOwner, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { startPostgres } from './processes.ts'

const POSTS_A_MONTH = 800
const COMING_POSTS = 40
const PAST_POSTS = 60
const MEMBERS = 12
const HOUR = 3_600_000

export type Instance = { url: string; cookie: string; slug: string; month: string; post: string; webhook: string }

/** Starts Meydan with a workspace that is in use: members, accounts, webhooks, and a month full of posts. */
export async function startInstance({ log }: Bench): Promise<Instance> {
  const connection = await startPostgres()
  const made = await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    log('creating posts')
    const posts = await createPosts(deps, owner)
    await createMembers(deps, owner)
    const webhook = await createWebhooks(deps, owner)
    await createToken(deps, owner, { name: 'Reports', scopes: ['posts:read'], team_id: null })
    await createModel(deps, owner, { provider: 'openai', model_key: 'gpt-5', name: 'GPT-5' })
    const { slug } = await deps.db.selectFrom('workspace').select('slug').executeTakeFirstOrThrow()
    await deps.pool.query('vacuum analyze')
    return { ...posts, webhook, slug }
  })
  const { url } = await startMeydan(serverSettings(connection))
  return { url, cookie: await signIn(url), ...made }
}

/** Creates posts of the last and the next days, and of a month so far ahead that none falls due during the bench. */
async function createPosts(deps: Deps, owner: Member) {
  const accounts = await createMany(3, () => connectAccount(deps, owner, { network: 'playground' }))
  const now = Date.now()
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 2, 1)
  const create = (index: number, time: number) =>
    createPost(deps, owner, {
      content: `Post number ${index}: fresh simit from seven in the morning, and tea until late in the evening.`,
      account_ids: accounts.slice(0, 1 + (index % 3)).map(({ id }) => id),
      labels: index % 4 ? [] : ['autumn'],
      scheduled_at: new Date(time).toISOString(),
    })
  await createMany(COMING_POSTS, (index) => create(index, now + (index + 1) * 4 * HOUR))
  const past = await createMany(PAST_POSTS, (index) => create(index, now + (index + 1) * HOUR))
  await createMany(POSTS_A_MONTH, (index) => create(index, month + ((index % 28) * 24 + 8) * HOUR + index * 60_000))
  const ids = past.map(({ id }) => id)
  await deps.pool.query(
    `with changed as (
      update post set status = case when position <= 3 then 'failed' else 'published' end::post_status,
        scheduled_at = now() - position * interval '2 hours', published_at = now() - position * interval '2 hours'
      from unnest($1::uuid[]) with ordinality as chosen (chosen_id, position) where post.id = chosen_id
      returning post.id, post.status)
    update post_target set status = changed.status::text::target_status, attempts = 1,
      error_code = case when changed.status = 'failed' then 'rejected' end,
      error_message = case when changed.status = 'failed' then 'The text is too long.' end
    from changed where post_id = changed.id`,
    [ids],
  )
  await deps.pool.query(
    `update account set status = 'disconnected', status_detail = 'The app password is wrong.' where id = $1`,
    [accounts[2]?.id],
  )
  return { month: new Date(month).toISOString().slice(0, 10), post: ids.at(-1) ?? '' }
}

const createMembers = ({ pool }: Deps, { workspace_id, user_id }: Member) =>
  pool.query(
    `with people as (
      insert into "user" (email, name, email_verified)
      select 'member-' || n || '@example.com', 'Member ' || n, true from generate_series(1, $1::int) as n returning id),
    members as (
      insert into workspace_member (workspace_id, user_id, role) select $2, id, 'author' from people)
    insert into invitation (workspace_id, email, role, locale, hashed_token, invited_by, expires_at)
    select $2, 'guest-' || n || '@example.com', 'editor', 'en', 'hash ' || n, $3, now() + interval '7 days'
    from generate_series(1, 3) as n`,
    [MEMBERS, workspace_id, user_id],
  )

/** Creates webhooks of which one fails, with a day of attempts. Returns the id of the failing one. */
async function createWebhooks(deps: Deps, owner: Member) {
  const webhooks = await createMany(3, (index) =>
    createWebhook(deps, owner, { url: `https://example.com/hooks/${index}`, events: ['*'] }),
  )
  await deps.pool.query(
    `insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response)
    select id, uuidv7(age), 1, uuidv7(age), 'post.created', 'schedule', now() + age, true, true, 200, 20, 'ok'
    from webhook, generate_series(1, 60) as n, make_interval(mins => -20 * n) as age`,
  )
  await deps.pool.query(
    `insert into webhook_health (webhook_id, failure_count, first_failure_at, last_failure_at, last_dispatched_at)
    values ($1, 5, now() - interval '1 hour', now(), now() - interval '1 hour')
    on conflict (webhook_id) do update set failure_count = 5, first_failure_at = now() - interval '1 hour',
      last_failure_at = now(), last_dispatched_at = now() - interval '1 hour'`,
    [webhooks[0]?.id],
  )
  return webhooks[0]?.id ?? ''
}
