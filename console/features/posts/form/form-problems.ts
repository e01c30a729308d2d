import type { PostDraft } from './form-values'

/** Returns the value of the form that a pointer of the API concerns, as a path into it; undefined for others. */
function pathOf(pointer: string, sent: PostDraft) {
  const [field = '', index, part, ...rest] = pointer.split('/')
  if (['content', 'media_ids', 'thread', 'first_comment', 'labels'].includes(field)) return pointer
  if (field === 'scheduled_at') return 'wall'
  if (field !== 'targets') return undefined
  const account = sent.accounts[Number(index)]
  if (!account || !part || part === 'account_id') return 'accounts'
  return [...(part === 'options' ? [part, account] : ['own', account, part]), ...rest].join('/')
}

const textAt = (draft: PostDraft, path: string) =>
  JSON.stringify(
    path.split('/').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], draft),
  )

/**
 * The errors by the field that shows them, until that field changes. `elsewhere`: there is an error that no field
 * shows.
 */
export function currentProblems(refused: Record<string, string>, sent: PostDraft | undefined, now: PostDraft) {
  const byPath = new Map<string, string>()
  let elsewhere = Object.keys(refused).length === 0
  for (const [pointer, message] of Object.entries(refused)) {
    const path = sent && pathOf(pointer, sent)
    if (path === undefined) elsewhere = true
    else if (textAt(sent ?? now, path) === textAt(now, path))
      byPath.set(path, [...new Set([byPath.get(path), message])].filter(Boolean).join(' '))
  }
  return { byPath, elsewhere }
}
