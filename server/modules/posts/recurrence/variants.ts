import type { Static } from 'typebox'
import { type FieldError, invalid, Problem, problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
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
