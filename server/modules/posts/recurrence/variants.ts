import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type FieldError, invalid, Problem, problem } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { publishingStatus } from '../../accounts/accounts.ts'
import { requestedTargets, storedIds, storedThread } from '../validation/requested-targets.ts'
import { validatePost } from '../validation/validate-post.ts'
import type { NewRecurringPost, RecurringPost } from './recurrence.schema.ts'

type Input = Static<typeof NewRecurringPost>['variants']
export type Variant = Static<typeof RecurringPost>['variants'][number]

/** Bytes of all variants as JSON. A page of recurring posts has them all. */
const MAX_BYTES = 128_000

const within = (index: number, errors: readonly FieldError[]) =>
  errors.map((error) => ({ ...error, pointer: `/variants/${index}${error.pointer}` }))

function toVariant({
  content,
  media_ids = [],
  thread = [],
  first_comment = null,
  ...accounts
}: Input[number]): Variant {
  return {
    content,
    media_ids: storedIds(media_ids),
    thread: storedThread(thread),
    first_comment,
    targets: requestedTargets(accounts) ?? [],
  }
}

/** Reads variants in the form in which they are stored. Throws for what would keep one from being scheduled now. */
export async function checkedVariants(deps: Deps, caller: Member, input: Input) {
  const variants: Variant[] = []
  const errors: FieldError[] = []
  for (const [index, one] of input.entries())
    try {
      variants.push(toVariant(one))
      const { problems } = await validatePost(deps, caller, one)
      errors.push(...within(index, problems))
    } catch (error) {
      if (!(error instanceof Problem) || !error.options.errors) throw error
      errors.push(...within(index, error.options.errors))
    }
  if (errors.length) throw problem('validation_failed', { errors })
  if (Buffer.byteLength(JSON.stringify(variants)) > MAX_BYTES)
    throw invalid('/variants', { en: 'The variants are too large.', tr: 'Seçenekler çok büyük.' }, 'too_large')
  return variants
}

/** The targets of a variant whose accounts were not removed, and those of them that can publish now. */
export async function targetsOf(tx: Tx, { targets }: Variant) {
  const accounts = await tx
    .selectFrom('account')
    .select(['id', publishingStatus.as('status')])
    .where(sql<boolean>`id = any(${targets.map(({ account_id }) => account_id)}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  const statuses = new Map(accounts.map(({ id, status }) => [id, status]))
  const existing = targets.filter(({ account_id }) => statuses.has(account_id))
  return { existing, usable: existing.filter(({ account_id }) => statuses.get(account_id) === 'connected') }
}

/** Where a recurring post is in its variants. `variant_round`: how many times all of them were used. */
type Turns = {
  id: string
  variant_order: string
  variant_round: number
  next_variant: number
  variants: readonly unknown[]
}

/** The order of the variants in a round, which is the same on every node. */
function shuffled(id: string, round: number, count: number) {
  const hash = (index: number) => createHash('sha256').update(`${id} ${round} ${index}`).digest('hex')
  return Array.from({ length: count }, (_, index) => ({ index, hash: hash(index) }))
    .sort((a, b) => a.hash.localeCompare(b.hash))
    .map(({ index }) => index)
}

/** The index of the next variant. From three on, none comes twice in a row. */
export function nextVariant({ id, variant_order, variant_round, next_variant, variants }: Turns) {
  const count = variants.length
  if (variant_order !== 'shuffled') return next_variant
  const order = shuffled(id, variant_round, count)
  const former = shuffled(id, variant_round - 1, count).at(-1)
  const isRepeated = count > 2 && variant_round > 0 && order[0] === former
  return order[isRepeated && next_variant < 2 ? 1 - next_variant : next_variant] ?? 0
}

/** The index of the variant after another one, of variants that are in their order. */
export const nextInOrder = (variant: number, { variants }: Pick<Turns, 'variants'>) => (variant + 1) % variants.length

/** The turns after an occurrence whose post exists already. Shuffled variants took their turn when it was created. */
export const afterCreated = (turns: Turns, variant: number) =>
  turns.variant_order === 'shuffled' ? {} : { next_variant: nextInOrder(variant, turns) }

export const afterUse = ({ next_variant, variant_round, variants }: Turns) =>
  next_variant + 1 < variants.length
    ? { next_variant: next_variant + 1, variant_round }
    : { next_variant: 0, variant_round: variant_round + 1 }

/**
 * The turns after posts to come were deleted, so that those that replace them get the same variants. `count`: the number
 * of variants from now on.
 */
export function rewound(
  { variant_order, variant_round, next_variant, variants }: Turns,
  removed: { variant: number | undefined; count: number },
  count = variants.length,
) {
  if (variant_order !== 'shuffled') return { next_variant: (removed.variant ?? next_variant) % count, variant_round }
  if (count !== variants.length) return { next_variant: 0, variant_round: variant_round + 1 }
  const used = Math.max(0, variant_round * count + next_variant - removed.count)
  return { next_variant: used % count, variant_round: Math.floor(used / count) }
}

export const mediaOf = (variants: readonly Variant[]) => [
  ...new Set(
    variants.flatMap((variant) =>
      [variant, ...variant.targets].flatMap(({ media_ids, thread }) => [
        ...(media_ids ?? []),
        ...(thread ?? []).flatMap((part) => part.media_ids),
      ]),
    ),
  ),
]
