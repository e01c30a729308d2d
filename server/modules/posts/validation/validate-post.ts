import type { Static } from 'typebox'
import { type FieldError, toMessage } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { PAYLOAD_LIMIT } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { priceOf, pricingOf, readNetworkPrices } from '../../networks/pricing.ts'
import { capabilitiesOf, networkOf } from '../../networks/registry.ts'
import { findSlot, queueProblem } from '../posting-times/next-slot.ts'
import { MAX_WARNINGS, type NewPost } from '../record/posts.schema.ts'
import { scheduledAtProblem, timeConflict } from '../record/scheduled-time.ts'
import { findDuplicates, plannedTexts } from './duplicates.ts'
import { createCounter, maxLengthOf } from './problems.ts'
import { type Draft, knownTargets, optionProblemsOf, readPostDraft, unfitness } from './read-draft.ts'
import { accountPointer, requestedTargets, withGroupedAccounts } from './requested-targets.ts'
import type { PostToValidate } from './validation.schema.ts'

/**
 * Checks a post that is not stored. `refused`: what keeps even a draft from being stored. `unfit`: what keeps the post
 * from being scheduled.
 */
export function checkPost(input: Static<typeof NewPost>, draft: Draft, now: Date) {
  const options = optionProblemsOf(draft)
  const refused = [
    ...timeProblems(input, now),
    ...draft.missing,
    ...draft.targets.flatMap(({ account }, index): FieldError[] =>
      account
        ? (options[index] ?? [])
        : [
            {
              pointer: accountPointer(draft.listed, index),
              code: 'invalid',
              ...toMessage({ en: 'This account does not exist.', tr: 'Bu hesap yok.' }),
            },
          ],
    ),
  ]
  if (Buffer.byteLength(JSON.stringify({ ...draft.texts, targets: draft.requested })) > PAYLOAD_LIMIT - 100_000)
    refused.push({
      pointer: '/content',
      code: 'too_large',
      ...toMessage({
        en: 'The texts and their variants are too large.',
        tr: 'Metinler ve farklı sürümleri çok büyük.',
      }),
    })
  return { refused, unfit: input.is_idea ? [] : unfitness(draft) }
}

/** Lists everything that would keep this post from being scheduled, and counts its texts. Stores nothing. */
export async function validatePost(deps: Deps, caller: Member, { post_id, ...given }: Static<typeof PostToValidate>) {
  const { db } = deps
  const { workspace_id } = caller
  const input = await withGroupedAccounts(db, caller, given)
  const now = deps.clock.now()
  const draft = await readPostDraft(db, workspace_id, input, { requested: requestedTargets(input) })
  const { texts, media } = draft
  const { refused, unfit } = checkPost(input, draft, now)
  const { content, first_comment } = texts
  const problems = [...refused, ...unfit]
  const ids = draft.requested.map(({ account_id }) => account_id)
  const slot = input.queue
    ? await findSlot(db, { workspace_id, account_ids: ids, now, ...(post_id && { post_id }) })
    : null
  if (typeof slot === 'string') problems.push(queueProblem(slot))
  const time = slot instanceof Date ? slot : input.scheduled_at ? new Date(input.scheduled_at) : now
  const duplicates = await findDuplicates(db, workspace_id, plannedTexts(draft, time, post_id))
  const count = createCounter()
  const prices = await readNetworkPrices(deps)
  return {
    problems: problems.slice(0, MAX_WARNINGS),
    duplicates: duplicates.filter((duplicate) => duplicate !== undefined),
    next_slot_at: slot instanceof Date ? slot : null,
    targets: knownTargets(draft).map((target) => {
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
