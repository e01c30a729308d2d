import type { Deps } from '../../server/lib/deps.ts'
import type { Member } from '../../server/lib/http/access.ts'
import { connectAccount } from '../../server/modules/accounts/connect.ts'
import { createAgent } from '../../server/modules/agents/agents.ts'
import { publishRecipe } from '../../server/modules/catalog/publishing/publish.ts'
import { createGig } from '../../server/modules/marketplace/gigs/gigs.ts'
import { savePostingTimes } from '../../server/modules/posts/posting-times/posting-times.ts'
import { createRecurringPost } from '../../server/modules/posts/recurrence/recurring-posts.ts'
import { createWebhook } from '../../server/modules/webhooks/webhooks.ts'
import { createWorkspace } from '../../server/modules/workspaces/workspaces.ts'

/** The records of a workspace that requests name. */
export type Dataset = {
  workspace_id: string
  author: string
  accounts: string[]
  webhook: string
  agent: string
  recipe: string
  recurring_post: string
  post_import: string
  /** A post with comments. */
  post: string
  gig: string
  order: string
  /** Known before the invoice, the batch and the ledger account exist. */
  invoice: string
  batch: string
  ledger_account: string
  /** Domain of the addresses of people who belong to it. */
  domain: string
}

/** A statement that writes records, with its parameters. */
export type Statement = [sql: string, values: unknown[]]

/**
 * Creates a workspace with one of each record that has lists of its own, and four accounts: two with half of the posts
 * each, a rare one, an unused one.
 */
export async function createDataset(deps: Deps, owner: Member, name: string): Promise<Dataset> {
  const { id: workspace_id } = await createWorkspace(deps.db, owner, { name })
  await deps.pool.query(`update workspace set plan_code = 'team' where id = $1`, [workspace_id])
  const member = { ...owner, workspace_id }
  const accounts: string[] = []
  for (const account of ['one', 'two', 'rare', 'unused'])
    accounts.push((await connectAccount(deps, member, { network: 'playground', name: account })).id)
  const [, , rare = ''] = accounts
  await savePostingTimes(
    deps,
    member,
    rare,
    { timezone: 'UTC', times: [{ weekday: 'monday', time: '09:30' }] },
    () => {},
  )
  const { id: webhook } = await createWebhook(deps, member, { url: 'https://example.com/', events: ['*'] })
  const { id: agent } = await createAgent(deps, member, {
    ...{ name: 'Baker', system_prompt: 'Write about bread.', description: 'Fresh bread, each morning.' },
    ...{ schedule_cron: '30 10 * * 1-6', timezone: 'Europe/Istanbul', account_ids: [rare] },
  })
  const { id: recipe } = await publishRecipe(deps, member, { agent_id: agent, category: 'food' })
  await deps.pool.query('update agent set recipe_id = $1, recipe_version = 1 where id = $2', [recipe, agent])
  const { id: recurring_post } = await createRecurringPost(deps, member, {
    ...{ rule: 'FREQ=DAILY', starts_at: '2026-12-01T09:30', timezone: 'UTC' },
    variants: [{ content: 'Open from seven.', account_ids: [rare] }],
  })
  const imports = await deps.pool.query<{ id: string }>(
    `insert into post_import (workspace_id, created_by, name, format, encoding, has_header, columns, fields, timezone,
      status, expires_at, created_at, updated_at)
    values ($1, $2, 'posts.csv', 'other', 'utf-8', true, '{text}', '{text}', 'UTC', 'ready', now() + interval '1 day', now(),
      now()) returning id`,
    [workspace_id, owner.user_id],
  )
  const post_import = imports.rows[0]?.id ?? ''
  const posts = await deps.pool.query<{ id: string }>(
    `insert into post (workspace_id, author_id, content, status) values ($1, $2, 'Commented', 'draft') returning id`,
    [workspace_id, owner.user_id],
  )
  const post = posts.rows[0]?.id ?? ''
  const { id: gig } = await createGig(deps, member, {
    ...{ title: 'Ten posts for your café', description: 'Ten posts with images, for your café and its guests.' },
    ...{ price: 1499.9, currency: 'TRY', delivery_days: 3, categories: ['social-media'], status: 'published' },
  })
  const { rows } = await deps.pool.query<Record<'order' | 'invoice' | 'batch' | 'ledger_account', string>>(
    `with made as (
      insert into gig_order (gig_id, seller_id, seller_workspace_id, seller_account, buyer_id, title, price, currency,
        delivery_days, fee_bps, platform_fee, seller_payout, revisions_allowed, status, paid_at, accepted_at)
      select id, $1, $2, $1::uuid || ':' || $2::uuid, $1, title, price, currency, 3, 1000, 14999, 134991, 2, 'in_progress',
        now(), now() from gig where id = $3
      returning id)
    select id as order, uuidv7() as invoice, uuidv7() as batch, uuidv7() as ledger_account from made`,
    [owner.user_id, workspace_id, gig],
  )
  const [ids] = rows
  if (!ids) throw new Error(`The workspace ${name} has no order`)
  const records = { workspace_id, accounts, webhook, agent, recipe, recurring_post, post_import, post, gig }
  return { ...records, ...ids, author: owner.user_id, domain: `${name.toLowerCase()}.example.com` }
}

/** The number of records of a kind that people make by hand, of which a workspace can have `most`. */
export const madeByHand = (posts: number, most: number) => Math.min(most, Math.max(15, Math.round(posts / 100)))
