import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { createModel } from '../server/modules/ai/models/models.ts'
import { setPayoutAccount } from '../server/modules/marketplace/payouts/payout-accounts.ts'
import { setOption } from '../server/modules/options/overrides.ts'
import { createPost } from '../server/modules/posts/authoring/create-and-change.ts'
import { createClientLink } from '../server/modules/posts/client-links/client-links.ts'
import { createWebhook } from '../server/modules/webhooks/webhooks.ts'
import { createInvitation } from '../server/modules/workspaces/invitations/invitations.ts'
import { HOUR } from '../shared/time.ts'
import type { PageRecords } from './console-pages.ts'
import { createDataset, type Dataset } from './growth/dataset.ts'
import { fillAround } from './growth/fill.ts'
import { HANDLE } from './growth/money.ts'
import { type Bench, createMany } from './harness.ts'
import { createOwner, createUser, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { startPostgres, temporaryFolder } from './processes.ts'

const POSTS_A_MONTH = 800
const COMING_POSTS = 40
const PAST_POSTS = 60
const MEMBERS = 12
/** The other records are as many as around that number of posts. */
const AROUND = 1000
const IMAGES = 36

export type Instance = { url: string; cookie: string; month: string; records: PageRecords }

/** Starts Meydan with a workspace that is in use: records of every kind, members, accounts, and a month full of posts. */
export async function startInstance({ log }: Bench): Promise<Instance> {
  const connection = await startPostgres()
  const made = await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const dataset = await createDataset(deps, owner, 'Square')
    const seller = await createUser(deps, owner, 'seller@example.com')
    const { gig: buy } = await createDataset(deps, seller, 'Seller')
    const member = { ...owner, workspace_id: dataset.workspace_id }
    log('creating posts')
    const posts = await createPosts(deps, member, dataset.accounts)
    await createMembers(deps, member)
    await fillAround(deps, dataset, AROUND, log)
    const webhooks = await createWebhooks(deps, member)
    const { id: model } = await createModel(deps, owner, { provider: 'openai', model_key: 'gpt-5', name: 'GPT-5' })
    const { url: invitation } = await createInvitation(deps, member, { email: 'invited@example.com', role: 'editor' })
    const today = new Date().toISOString().slice(0, 10)
    const link = await createClientLink(deps, member, { name: 'Bakery', starts_on: today, ends_on: today })
    const records = await createRest(deps, dataset)
    await setPayoutAccount(deps, member, { holder: 'Ada Lovelace', iban: 'TR330006100519786457841326' }, () => {})
    await setOption(deps, owner, 'billing.enabled', { value: true })
    await deps.pool.query('vacuum analyze')
    const { agent: agents, recipe: catalog, invoice: invoices, gig: gigs, order: orders } = dataset
    return {
      month: posts.month,
      workspace_id: dataset.workspace_id,
      records: {
        ...{ ...records, agents, catalog, invoices, gigs, orders, buy, webhooks, posts: posts.post, plans: 'free' },
        ...{
          accounts: dataset.accounts[2] ?? '',
          'recurring-posts': dataset.recurring_post,
          'ai-models': String(model),
          // With the secret behind the id.
          review: link.url.split('/').at(-1) ?? '',
        },
        ...{ sellers: HANDLE, token: new URL(invitation).searchParams.get('token') ?? '' },
      },
    }
  })
  const { url } = await startMeydan({ ...serverSettings(connection), DATA_DIR: await temporaryFolder() })
  const cookie = await signIn(url)
  const { workspace_id, ...instance } = made
  await uploadImages(url, { cookie, 'x-workspace-id': workspace_id })
  return { url, cookie, ...instance }
}

/** Uploads the images of the media library, and deletes some. */
async function uploadImages(url: string, headers: Record<string, string>) {
  for (let n = 0; n < IMAGES; n++) {
    const form = new FormData()
    const bytes = await sharp(randomBytes(3 * 200 * 150), { raw: { width: 200, height: 150, channels: 3 } })
      // Noise alone would weigh several times as much as a photograph.
      .blur(2)
      .webp()
      .toBuffer()
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/webp' }), `simit-${n}.webp`)
    const response = await fetch(`${url}/api/v1/media`, { method: 'POST', headers, body: form })
    if (!response.ok) throw new Error(`An upload failed with ${response.status}: ${await response.text()}`)
    const { id } = (await response.json()) as { id: string }
    if (n % 10 === 0) await fetch(`${url}/api/v1/media/${id}`, { method: 'DELETE', headers })
  }
}

/** Writes numbers of accounts, posts in review, and a checkout. Returns the records that only a query names. */
async function createRest({ pool }: Deps, { workspace_id, author, accounts }: Dataset) {
  const { rows } = await pool.query<Record<'w' | 'checkouts' | 'disputes' | 'email-templates' | 'playground', string>>(
    `with numbers as (
      insert into account_metrics_day (account_id, day, metrics)
      select account_id, current_date - n, jsonb_build_object('followers', 1840 - n, 'following', 126, 'posts', 912)
      from unnest($3::uuid[]) as account_id, generate_series(0, 60) as n
    ), last_numbers as (
      insert into account_metrics (account_id, due_at, read_at, metrics)
      select account_id, now() + interval '1 day', now(), '{"followers": 1840, "following": 126, "posts": 912}'
      from unnest($3::uuid[]) as account_id
    ), reviewed as (
      insert into post (workspace_id, author_id, content, status, review, review_scheduled_at)
      select $1, $2, 'Post in review ' || n, 'draft', 'pending', now() + make_interval(days => n) from generate_series(1, 8) as n
    ), subscribed as (
      insert into subscription (workspace_id, plan_code, status, anchor, current_period_start, current_period_end,
        billing_currency, billing_period, amount, provider, timer_at)
      values ($1, 'team', 'active', now(), now(), now() + interval '1 month', 'TRY', 'monthly', 99900, 'manual', now())
      returning id
    ), opened as (
      insert into checkout (workspace_id, created_by, purpose, subscription_id, plan_code, billing_period, currency, amount,
        period_amount, provider, kind, expires_at)
      select $1, $2, 'renewal', id, 'team', 'monthly', 'TRY', 99900, 99900, 'manual', 'payment_request', now() + interval '7 days'
      from subscribed returning id, workspace_id, plan_code, amount, currency
    ), requested as (
      insert into payment_request (checkout_id, workspace_id, plan_code, amount, currency)
      select id, workspace_id, plan_code, amount, currency from opened
    ), shown as (
      insert into playground_post (workspace_id, account_id, attempt_key, content, created_at)
      select $1, account_id, post_target.id::text, post.content, post.published_at
      from post_target join post on post.id = post_id where post.published_at is not null and workspace_id = $1 returning id)
    select (select slug from workspace where id = $1) as w, (select id from opened) as checkouts,
      (select id from order_dispute order by id desc limit 1) as disputes, (select id from email_template limit 1) as "email-templates",
      (select id from shown limit 1) as playground`,
    [workspace_id, author, accounts.slice(0, 3)],
  )
  const [records] = rows
  if (!records) throw new Error('The workspace has no records')
  return records
}

/** Creates posts of the last and the next days, and of a month so far ahead that none falls due during the bench. */
async function createPosts(deps: Deps, owner: Member, accounts: string[]) {
  const now = Date.now()
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 2, 1)
  const create = (index: number, time: number) =>
    createPost(deps, owner, {
      content: `Post number ${index}: fresh simit from seven in the morning, and tea until late in the evening.`,
      account_ids: accounts.slice(0, 1 + (index % 3)),
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
    [accounts[3]],
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
