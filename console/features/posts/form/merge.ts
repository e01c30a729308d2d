import type { PostDraft } from './form-values'

/** A part of a post that can conflict; `own.<id>` is the text for the account with this id. */
export type DraftPart = 'content' | 'accounts' | 'labels' | 'time' | `own.${string}`

const accountOf = (part: DraftPart) => (part.startsWith('own.') ? part.slice(4) : undefined)

const partsOf = (...drafts: PostDraft[]): DraftPart[] => [
  'content',
  'accounts',
  ...new Set(drafts.flatMap(({ own }) => Object.keys(own).map((id) => `own.${id}` as const))),
  'labels',
  'time',
]

/** A part as a text, for comparison. */
function comparable(draft: PostDraft, part: DraftPart) {
  const account = accountOf(part)
  if (account !== undefined) return JSON.stringify(draft.own[account] ?? null)
  if (part === 'time') return draft.when === 'later' ? String(draft.wall) : draft.when
  return JSON.stringify(draft[part as 'content' | 'accounts' | 'labels'])
}

export const isSamePart = (a: PostDraft, b: PostDraft, part: DraftPart) => comparable(a, part) === comparable(b, part)

/** Returns `draft` with a part of another version. */
export function takePart(draft: PostDraft, part: DraftPart, { content, accounts, own, labels, when, wall }: PostDraft) {
  const account = accountOf(part)
  if (account !== undefined) {
    const { [account]: _, ...others } = draft.own
    const text = own[account]
    return { ...draft, own: text === undefined ? others : { ...others, [account]: text } }
  }
  const parts: Record<string, Partial<PostDraft>> = {
    content: { content },
    accounts: { accounts },
    labels: { labels },
    time: { when, wall },
  }
  return { ...draft, ...parts[part] }
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
