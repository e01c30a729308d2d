import { sql } from 'kysely'
import { Problem } from '../../../../errors.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { createPost } from '../../../posts/authoring/create-and-change.ts'
import { byMember } from '../../../posts/authoring/insert-posts.ts'
import type { Draft } from '../../drafts/draft.ts'
import type { Step } from './begin-step.ts'
import { plannedTime } from './planned-time.ts'

/** Runs `work` in a savepoint: when a rule refuses it, its writes are undone, and the problem is returned. */
async function attempt<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result | Problem> {
  await sql`savepoint agent_post`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint agent_post`.execute(tx)
    return result
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint agent_post`.execute(tx)
    return error
  }
}

/** `accounts`: those that get the picture. */
type Picture = { media_id: string; accounts: readonly { id: string }[] }
type Placed = { post_id: string; status: 'created' | 'pending'; reason: string | null }

/**
 * Makes a post of a draft. With `auto` it is scheduled, unless a check left it to a person or the post cannot be
 * scheduled; then it waits as a draft.
 */
export async function placePost(
  deps: Deps,
  tx: Tx,
  { run_id, item, member, config, accounts, start }: Step,
  { draft, isDoubtful, picture }: { draft: Draft; isDoubtful: boolean; picture?: Picture | undefined },
): Promise<Placed> {
  const variants = new Map(draft.variants.map(({ network, content }) => [network, content]))
  const input = {
    content: draft.content,
    ...(picture && { media_ids: [picture.media_id] }),
    targets: accounts.map(({ id, network }) => {
      const content = variants.get(network)
      const isWithout = picture && !picture.accounts.some((account) => account.id === id)
      return { account_id: id, ...(content !== undefined && { content }), ...(isWithout && { media_ids: [] }) }
    }),
  }
  const within = { ...deps, db: tx }
  const time = plannedTime(config, { start, position: item.position, now: deps.clock.now() })
  const origin = { ...byMember, agent_run_id: run_id, agent_position: item.position }
  let reason: string | null = null
  if (config.autonomy_level === 'auto' && !isDoubtful) {
    const scheduled_at = time.toISOString()
    const post = await attempt(tx, () => createPost(within, member, { ...input, scheduled_at }, origin))
    // It waits where the policy of an account asks for an approval.
    const status = !(post instanceof Problem) && post.review === 'pending' ? 'pending' : 'created'
    if (!(post instanceof Problem)) return { post_id: post.id, status, reason }
    reason = post.code
  }
  if (config.autonomy_level === 'draft') {
    const post = await createPost(within, member, input, origin)
    return { post_id: post.id, status: 'created', reason }
  }
  const inReview = { ...origin, review: 'pending' as const, review_scheduled_at: time }
  const post = await createPost(within, member, input, inReview)
  return { post_id: post.id, status: 'pending', reason }
}
