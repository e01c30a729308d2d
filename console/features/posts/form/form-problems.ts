import type { PostDraft } from './form-values'

export type PostProblems = ReturnType<typeof currentProblems>

/**
 * The errors by the field that shows them, until that field changes. `elsewhere`: there is an error that no field
 * shows.
 */
export function currentProblems(refused: Record<string, string>, sent: PostDraft | undefined, now: PostDraft) {
  const rest = new Map(Object.entries(refused))
  const take = (pointer: string, isSame: boolean) => {
    const message = rest.get(pointer)
    rest.delete(pointer)
    return isSame ? message : undefined
  }
  const own: Record<string, string | undefined> = {}
  const accounts: (string | undefined)[] = [take('targets', sent?.accounts === now.accounts)]
  for (const [index, id] of (sent?.accounts ?? []).entries()) {
    own[id] = take(`targets/${index}/content`, sent?.own[id] === now.own[id])
    for (const pointer of [`targets/${index}`, `targets/${index}/account_id`])
      accounts.push(take(pointer, sent?.accounts === now.accounts))
  }
  return {
    own,
    accounts: accounts.filter(Boolean).join(' ') || undefined,
    content: take('content', sent?.content === now.content),
    labels: take('labels', sent?.labels === now.labels),
    time: take('scheduled_at', sent?.wall === now.wall),
    elsewhere: rest.size > 0 || Object.keys(refused).length === 0,
  }
}
