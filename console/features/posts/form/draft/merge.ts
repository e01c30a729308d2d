import type { PostDraft } from '../form-values'

/** A part of a post that can conflict; `own.<id>` is the version for the account with this id. */
export type DraftPart = (typeof shared)[number] | 'time' | `own.${string}`

const shared = ['content', 'media_ids', 'thread', 'first_comment', 'accounts', 'labels'] as const

const accountOf = (part: DraftPart) => (part.startsWith('own.') ? part.slice(4) : undefined)

const partsOf = (...drafts: PostDraft[]): DraftPart[] => [
  ...shared,
  ...new Set(
    drafts.flatMap(({ own, options }) => Object.keys({ ...own, ...options }).map((id) => `own.${id}` as const)),
  ),
  'time',
]

const sorted = (record: Record<string, unknown> = {}) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))

/** A part as a text, for comparison. */
function comparable(draft: PostDraft, part: DraftPart) {
  const account = accountOf(part)
  if (account !== undefined) return JSON.stringify([sorted(draft.own[account]), sorted(draft.options[account])])
  if (part === 'time') return draft.when === 'later' ? String(draft.wall) : draft.when
  return JSON.stringify(draft[part as (typeof shared)[number]])
}

export const isSamePart = (a: PostDraft, b: PostDraft, part: DraftPart) => comparable(a, part) === comparable(b, part)

/** Whether two versions are the same in everything but their time. */
export const isSameContent = (a: PostDraft, b: PostDraft) =>
  partsOf(a, b).every((part) => part === 'time' || isSamePart(a, b, part))

/** Returns a record with the entry of another one, or without it. */
export function withEntry<T>(record: Record<string, T>, key: string, value: T | undefined): Record<string, T> {
  const { [key]: _, ...others } = record
  return value === undefined ? others : { ...others, [key]: value }
}

/** Returns `draft` with a part of another version. */
export function takePart(draft: PostDraft, part: DraftPart, other: PostDraft): PostDraft {
  const account = accountOf(part)
  if (account !== undefined)
    return {
      ...draft,
      own: withEntry(draft.own, account, other.own[account]),
      options: withEntry(draft.options, account, other.options[account]),
    }
  if (part === 'time') return { ...draft, when: other.when, wall: other.wall }
  return { ...draft, [part]: other[part as (typeof shared)[number]] }
}

/**
 * Applies the changes of another user, from `before` to `theirs`, to a draft. Parts that both changed differently stay
 * as they are and are `conflicts`; `taken`: the parts that now differ from the draft.
 */
export function mergeDrafts(mine: PostDraft, before: PostDraft, theirs: PostDraft) {
  const changed = partsOf(mine, before, theirs).filter((part) => !isSamePart(before, theirs, part))
  const isConflict = (part: DraftPart) => !isSamePart(before, mine, part) && !isSamePart(mine, theirs, part)
  const conflicts = changed.filter(isConflict)
  const taken = changed.filter((part) => !isConflict(part) && !isSamePart(mine, theirs, part))
  const merged = taken.reduce((draft, part) => takePart(draft, part, theirs), mine)
  return { merged, conflicts, taken }
}

/** Whether a part has texts that can be put together. */
export const isText = (part: DraftPart, ...drafts: PostDraft[]) => {
  const account = accountOf(part)
  if (account !== undefined) return drafts.every(({ own }) => own[account]?.content !== undefined)
  return part === 'content' || part === 'first_comment'
}

/** Returns `draft` with a text that has both versions. */
export function combinePart(draft: PostDraft, part: DraftPart, other: PostDraft): PostDraft {
  const both = (mine = '', theirs = '') => `${mine}\n\n${theirs}`
  const account = accountOf(part)
  if (account !== undefined) {
    const content = both(draft.own[account]?.content, other.own[account]?.content)
    return { ...draft, own: { ...draft.own, [account]: { ...draft.own[account], content } } }
  }
  if (part === 'first_comment') return { ...draft, first_comment: both(draft.first_comment, other.first_comment) }
  return { ...draft, content: both(draft.content, other.content) }
}
