import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, unwrap, workspaceApi } from '../../../api'
import { useUndoNotification } from '../../../ui/feedback/useUndoNotification'
import { fromWall, moveWall, toWall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { hidePost, showPosts } from '../changes'
import { callForEach, type Failure } from './selection'

export type Shift = { days?: number; hours?: number }
type Done = 'deleted' | 'restored' | 'labelled' | 'moved' | 'published' | 'released' | 'drafted'

/** Actions on several posts: a call for each, with the progress and the posts that could not be changed. */
export function useBulkActions(onEnd: (failed: Post[]) => void) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const client = workspaceApi(slug)
  const notifyWithUndo = useUndoNotification()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [failures, setFailures] = useState<Failure[]>([])
  const pathOf = ({ id }: Post) => ({ params: { path: { id } } })

  async function run<Result>(posts: Post[], call: (post: Post) => Promise<Result>) {
    setFailures([])
    const { results, failures } = await callForEach(posts, call, (done) => setProgress({ done, total: posts.length }))
    setProgress(undefined)
    setFailures(failures)
    onEnd(failures.map(({ post }) => post))
    return results
  }

  const notify = (done: Done, count: number, undo?: () => void) => {
    if (count === 0) return
    const message = t(`bulk.${done}`, { count })
    if (undo) notifyWithUndo(`bulk-${Date.now()}`, message, undo)
    else notifications.show({ message })
  }

  async function change(done: Done, posts: Post[], call: (post: Post) => Promise<Post>) {
    const results = await run(posts, call)
    showPosts(
      slug,
      results.map(({ result }) => result),
    )
    notify(done, results.length)
  }

  const restore = (posts: Post[]) =>
    change('restored', posts, (post) => unwrap(client.POST('/api/v1/posts/{id}/restore', pathOf(post))))

  async function remove(posts: Post[]) {
    const results = await run(posts, (post) => unwrap(client.DELETE('/api/v1/posts/{id}', pathOf(post))))
    const removed = results.map(({ post }) => post)
    for (const { id, updated_at } of removed) hidePost(slug, id, updated_at)
    notify('deleted', removed.length, () => void restore(removed))
  }

  const patch = (post: Post, body: { labels: string[] } | { scheduled_at: string | null }) =>
    unwrap(client.PATCH('/api/v1/posts/{id}', { ...pathOf(post), body }))

  const addLabel = (posts: Post[], label: string) =>
    change('labelled', posts, (post) => patch(post, { labels: [...new Set([...post.labels, label])] }))

  /** A shift by days keeps the time of day in the time zone of the workspace. */
  const reschedule = (posts: Post[], shift: Shift) =>
    change('moved', posts, (post) => {
      const wall = moveWall(toWall(timezone, post.scheduled_at ?? ''), shift)
      return patch(post, { scheduled_at: fromWall(timezone, wall).toISOString() })
    })

  const publish = (posts: Post[]) =>
    change('published', posts, (post) => unwrap(client.POST('/api/v1/posts/{id}/publish', pathOf(post))))

  const release = (posts: Post[]) =>
    change('released', posts, (post) => unwrap(client.POST('/api/v1/posts/{id}/release', pathOf(post))))

  const unschedule = (posts: Post[]) => change('drafted', posts, (post) => patch(post, { scheduled_at: null }))

  return {
    ...{ progress, failures, publish, release, unschedule },
    ...{ dismiss: () => setFailures([]), remove, addLabel, reschedule },
  }
}
