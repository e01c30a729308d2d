import { useRef, useState } from 'react'
import type { PostSummary } from '../../../api'

/** The posts of a list that are selected for an action on all of them. Posts that leave the list are no longer. */
export function useSelection(selectable: readonly PostSummary[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const selected = selectable.filter(({ id }) => ids.has(id))
  const select = (posts: readonly PostSummary[]) => setIds(new Set(posts.map(({ id }) => id)))

  /** `range`: all from the post that was changed before, as with Shift. */
  function toggle(post: PostSummary, { range = false } = {}) {
    const at = selectable.findIndex(({ id }) => id === post.id)
    const from = selectable.findIndex(({ id }) => id === last.current)
    const changed = range && from >= 0 ? selectable.slice(Math.min(at, from), Math.max(at, from) + 1) : [post]
    last.current = post.id
    const next = new Set(selected.map(({ id }) => id))
    const isSelected = ids.has(post.id)
    for (const { id } of changed) isSelected ? next.delete(id) : next.add(id)
    setIds(next)
  }
  return { selected, select, toggle, has: (id: string) => ids.has(id) }
}

export type Failure = { post: PostSummary; message: string }

/** Calls once for each post, one after the other, whatever becomes of the others. */
export async function callForEach<Listed, Result>(
  posts: readonly Listed[],
  call: (post: Listed) => Promise<Result>,
  onProgress: (done: number) => void,
  messageOf: (error: unknown) => string,
) {
  const results: { post: Listed; result: Result }[] = []
  const failures: { post: Listed; message: string }[] = []
  for (const [done, post] of posts.entries()) {
    onProgress(done)
    try {
      results.push({ post, result: await call(post) })
    } catch (error) {
      failures.push({ post, message: messageOf(error) })
    }
  }
  return { results, failures }
}
