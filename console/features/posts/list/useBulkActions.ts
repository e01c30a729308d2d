import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, type PostSummary, unwrap, workspaceApi } from '../../../api'
import { fieldProblems, problemMessage } from '../../../ui/feedback/problem'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useUndoNotification } from '../../../ui/feedback/useUndoNotification'
import { dayOf, fromWall, moveWall, toWall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { hidePost, showPosts } from '../changes'
import { plannedTime } from '../queries'
import { callForEach, type Failure } from './selection'

/** Other times for several posts: by a span, at a time of day (`HH:mm`), or the next free slots of their queues. */
export type Shift = { days?: number; hours?: number } | { clock: string } | { queue: 'next' }
type Done = 'deleted' | 'restored' | 'labelled' | 'moved' | 'swapped' | 'published' | 'released' | 'drafted'
type Time = ({ scheduled_at: string | null } | { queue: 'next' }) & { version?: number }

/** Posts that one call reschedules at most. */
export const STEP = 50
/** A post as it was before it moved, and its version since. */
type Moved = { post: PostSummary; version: number }

export type BulkActions = ReturnType<typeof useBulkActions>

/** Actions on several posts, with the progress and the posts that could not be changed. */
export function useBulkActions(onEnd: (failed: PostSummary[]) => void) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const client = workspaceApi(slug)
  const notifyWithUndo = useUndoNotification()
  const notifyOfError = useErrorNotification()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [failures, setFailures] = useState<Failure[]>([])
  /** Moves the posts that can move, after some could not. */
  const [moveOthers, setMoveOthers] = useState<{ count: number; run: () => void }>()
  const pathOf = ({ id }: PostSummary) => ({ params: { path: { id } } })
  const dismiss = () => {
    setFailures([])
    setMoveOthers(undefined)
  }

  async function run<Result>(posts: PostSummary[], call: (post: PostSummary) => Promise<Result>) {
    dismiss()
    const { results, failures } = await callForEach(
      posts,
      call,
      (done) => setProgress({ done, total: posts.length }),
      (error) => problemMessage(t, error),
    )
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

  async function change(
    done: Done,
    posts: PostSummary[],
    call: (post: PostSummary) => Promise<Post>,
    undo?: (changed: PostSummary[]) => void,
  ) {
    const results = await run(posts, call)
    showPosts(
      slug,
      results.map(({ result }) => result),
    )
    const changed = results.map(({ post }) => post)
    notify(done, changed.length, undo && (() => undo(changed)))
  }

  const restore = (posts: PostSummary[]) =>
    change('restored', posts, (post) => unwrap(client.POST('/api/v1/posts/{id}/restore', pathOf(post))))

  async function remove(posts: PostSummary[]) {
    const results = await run(posts, (post) => unwrap(client.DELETE('/api/v1/posts/{id}', pathOf(post))))
    const removed = results.map(({ post }) => post)
    for (const { id, updated_at } of removed) hidePost(slug, id, updated_at)
    notify('deleted', removed.length, () => void restore(removed))
  }

  const patch = (post: PostSummary, body: { labels: string[] } | { scheduled_at: string | null }) =>
    unwrap(client.PATCH('/api/v1/posts/{id}', { ...pathOf(post), body }))

  const addLabel = (posts: PostSummary[], label: string) =>
    change(
      'labelled',
      posts,
      (post) => patch(post, { labels: [...new Set([...post.labels, label])] }),
      (changed) => void change('restored', changed, (post) => patch(post, { labels: post.labels })),
    )

  /**
   * Moves posts in steps: all of a step, or none. Names those that cannot move, stops there, and offers to move the others.
   */
  async function move(posts: PostSummary[], timeOf: (post: PostSummary) => Time, done: Done = 'moved') {
    dismiss()
    const moved: Moved[] = []
    try {
      for (let done = 0; done < posts.length; done += STEP) {
        setProgress({ done, total: posts.length })
        moved.push(...(await send(posts.slice(done, done + STEP), timeOf)))
      }
      onEnd([])
    } catch (error) {
      const rest = posts.slice(moved.length)
      const refused = refusalsOf(rest, fieldProblems(t, error))
      const others = rest.filter((post) => refused.every((one) => one.post !== post))
      setFailures(refused.length > 0 ? refused : rest.map((post) => ({ post, message: problemMessage(t, error) })))
      if (refused.length > 0 && others.length > 0)
        setMoveOthers({ count: others.length, run: () => void move(others, timeOf, done) })
      onEnd(rest)
    }
    setProgress(undefined)
    notify(done, moved.length, done === 'restored' ? undefined : () => void moveBack(moved))
  }

  /** Gives the posts of one step other times, and returns them as they were with the version that they have now. */
  async function send(posts: PostSummary[], timeOf: (post: PostSummary) => Time): Promise<Moved[]> {
    const body = { posts: posts.map((post) => ({ id: post.id, ...timeOf(post) })) }
    const { data } = await unwrap(client.POST('/api/v1/posts/reschedule', { body }))
    showPosts(slug, data)
    return posts.flatMap((post, index) => (data[index] ? [{ post, version: data[index].version }] : []))
  }

  /** Moves posts back that nobody has changed since. */
  const moveBack = (moved: readonly Moved[]) =>
    move(
      moved.map(({ post }) => post),
      timeBefore(moved),
      'restored',
    )

  /** A shift by days keeps the time of day in the time zone of the workspace. */
  const reschedule = (posts: PostSummary[], shift: Shift) =>
    move(posts.toSorted(byTime), (post) => {
      if ('queue' in shift) return shift
      const before = toWall(timezone, plannedTime(post) ?? '')
      const wall = 'clock' in shift ? `${dayOf(before)} ${shift.clock}:00` : moveWall(before, shift)
      return { scheduled_at: fromWall(timezone, wall).toISOString() }
    })

  /** Gives each of two posts the time of the other. */
  async function swap(one: PostSummary, other: PostSummary) {
    try {
      const moved = await send([one, other], (post) => ({ scheduled_at: (post === one ? other : one).scheduled_at }))
      notify('swapped', moved.length, () => void swapBack(moved))
    } catch (error) {
      notifyOfError(error)
    }
  }

  async function swapBack(moved: readonly Moved[]) {
    try {
      const posts = moved.map(({ post }) => post)
      notify('restored', (await send(posts, timeBefore(moved))).length)
    } catch (error) {
      notifyOfError(error)
    }
  }

  const publish = (posts: PostSummary[]) =>
    change('published', posts, (post) => unwrap(client.POST('/api/v1/posts/{id}/publish', pathOf(post))))

  const release = (posts: PostSummary[]) =>
    change('released', posts, (post) => unwrap(client.POST('/api/v1/posts/{id}/release', pathOf(post))))

  const unschedule = (posts: PostSummary[]) => change('drafted', posts, (post) => patch(post, { scheduled_at: null }))

  return {
    ...{ progress, failures, moveOthers, publish, release, unschedule },
    ...{ dismiss, remove, addLabel, reschedule, swap },
  }
}

/** The times that posts had before they moved, for those that have not changed since. */
function timeBefore(moved: readonly Moved[]) {
  const versions = new Map(moved.map(({ post, version }) => [post.id, version]))
  return (post: PostSummary): Time => {
    const version = versions.get(post.id)
    return { scheduled_at: plannedTime(post), ...(version !== undefined && { version }) }
  }
}

/** The refusals of a call by the places of their posts in it. */
const refusalsOf = (posts: PostSummary[], problems: Record<string, string>) =>
  Object.entries(problems).flatMap(([pointer, message]): Failure[] => {
    const post = posts[Number(/^posts\/(\d+)/.exec(pointer)?.[1] ?? -1)]
    return post ? [{ post, message }] : []
  })

/** Posts without a time come last. */
const byTime = (a: PostSummary, b: PostSummary) =>
  (plannedTime(a) ?? '9').localeCompare(plannedTime(b) ?? '9') || a.id.localeCompare(b.id)
