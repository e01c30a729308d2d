import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type FieldError, toMessage } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { PAYLOAD_LIMIT } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { publishingStatus } from '../../accounts/accounts.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import { priceOf, pricingOf, readNetworkPrices } from '../../networks/pricing.ts'
import { capabilitiesOf, networkOf } from '../../networks/registry.ts'
import { findSlot, queueProblem } from '../posting-times/next-slot.ts'
import { findMedia, type MediaById } from '../record/post-media.ts'
import { MAX_WARNINGS, type NewPost } from '../record/posts.schema.ts'
import { scheduledAtProblem, timeConflict } from '../record/scheduled-time.ts'
import { createCounter, maxLengthOf, optionProblems, publishingProblems } from './problems.ts'
import { accountPointer, accountsFieldOf, requestedTargets, storedIds, storedThread } from './requested-targets.ts'

/** An account as far as posts are checked for it. */
type CheckedAccount = { id: string; network: string; account_status: string; limits: AccountLimits }

export const readCheckedAccounts = async (db: Db, workspace_id: string, ids: readonly string[]) => {
  const accounts: CheckedAccount[] = await db
    .selectFrom('account')
    .select(['id', 'network', publishingStatus.as('account_status'), sql<AccountLimits>`limits`.as('limits')])
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(accounts.map((account) => [account.id, account]))
}

/** The texts and files of a post, as they are stored. */
const textsOf = ({ content, first_comment = null, media_ids = [], thread = [] }: Static<typeof NewPost>) => ({
  content,
  first_comment,
  media_ids: storedIds(media_ids),
  thread: storedThread(thread),
})

type Known = { accounts: ReadonlyMap<string, CheckedAccount>; media: MediaById; missing: FieldError[]; now: Date }

/**
 * Checks a post that is not stored. `refused`: what keeps even a draft from being stored. `unfit`: what keeps the post
 * from being scheduled.
 */
export function checkPost(input: Static<typeof NewPost>, { accounts, media, missing, now }: Known) {
  const listed = accountsFieldOf(input)
  const requested = requestedTargets(input) ?? []
  const texts = textsOf(input)
  const refused: FieldError[] = [...timeProblems(input, now), ...missing]
  const targets = requested.map((target, index) => {
    const account = accounts.get(target.account_id)
    if (!account)
      refused.push({
        pointer: accountPointer(listed, index),
        code: 'invalid',
        ...toMessage({ en: 'This account does not exist.', tr: 'Bu hesap yok.' }),
      })
    else refused.push(...optionProblems({ network: account.network, options: target.options }, index))
    return { ...target, status: 'pending', account }
  })
  const known = targets.flatMap(({ account, ...target }) =>
    account ? [{ ...target, ...account, account_limits: account.limits }] : [],
  )
  // Pointers count the listed accounts, so they are whole only when every account exists.
  const unfit = known.length === targets.length ? publishingProblems({ ...texts, media, targets: known }, listed) : []
  if (Buffer.byteLength(JSON.stringify({ ...texts, targets: requested })) > PAYLOAD_LIMIT - 100_000)
    refused.push({
      pointer: '/content',
      code: 'too_large',
      ...toMessage({
        en: 'The texts and their variants are too large.',
        tr: 'Metinler ve farklı sürümleri çok büyük.',
      }),
    })
  return { texts, known, refused, unfit }
}

/** Lists everything that would keep this post from being scheduled, and counts its texts. Stores nothing. */
export async function validatePost(deps: Deps, { workspace_id }: Member, input: Static<typeof NewPost>) {
  const { db } = deps
  const now = deps.clock.now()
  const requested = requestedTargets(input) ?? []
  const ids = requested.map(({ account_id }) => account_id)
  const accounts = await readCheckedAccounts(db, workspace_id, ids)
  const { media, missing } = await findMedia(db, workspace_id, { ...textsOf(input), targets: requested })
  const { texts, known, refused, unfit } = checkPost(input, { accounts, media, missing, now })
  const { content, first_comment } = texts
  const problems = [...refused, ...unfit]
  const slot = input.queue ? await findSlot(db, { workspace_id, account_ids: ids, now }) : null
  if (typeof slot === 'string') problems.push(queueProblem(slot))
  const count = createCounter()
  const prices = await readNetworkPrices(deps)
  return {
    problems: problems.slice(0, MAX_WARNINGS),
    next_slot_at: slot instanceof Date ? slot : null,
    targets: known.map((target) => {
      const capabilities = capabilitiesOf(target)
      const root = { content: target.content ?? content, media_ids: target.media_ids ?? texts.media_ids }
      const parts = [root, ...(target.thread ?? texts.thread)]
      const comment = target.first_comment ?? first_comment
      const pricing = pricingOf(networkOf(target), prices)
      const posts = comment === null ? parts : [...parts, { content: comment, media_ids: [] }]
      const priced = posts.map((post) => ({
        content: post.content,
        alts: post.media_ids.flatMap((id) => media.get(id)?.alt ?? []),
      }))
      return {
        account_id: target.account_id,
        network: target.network,
        parts: parts.map((part) => ({
          length: count(part.content, capabilities),
          max_length: maxLengthOf(capabilities, part.media_ids.length > 0),
        })),
        price_usd_micros: pricing && priceOf(pricing, priced, capabilities),
      }
    }),
  }
}

function timeProblems(input: Static<typeof NewPost>, now: Date): FieldError[] {
  const conflict = timeConflict(input)
  if (conflict) return [{ ...conflict, code: 'invalid' }]
  const { scheduled_at } = input
  if (!scheduled_at) return []
  const text = scheduledAtProblem(new Date(scheduled_at), now)
  return text ? [{ pointer: '/scheduled_at', code: 'invalid', ...toMessage(text) }] : []
}
