import { useCallback, useEffect, useReducer, useRef } from 'react'
import { api, isCode, queryClient, unwrap } from '../../../api'
import type { ClientReview, ReviewedPost } from './queries'

/** Posts that one call approves. */
const AT_ONCE = 100
/** Time in which a decision can be undone. It is sent after that, or when the page is left. */
const UNDO_MS = 10_000

/** A decision on a post as it was seen. `reason`: of a change that is asked for; null for an approval. */
type Decision = { post: ReviewedPost; reason: string | null; dueAt: number }

/** Key of the queries of a link, in every language. */
const queryKeyOf = (id: string) => ['client-review', id, 'posts']

function show(id: string, changed: readonly ReviewedPost[]) {
  const byId = new Map(changed.map((post) => [post.id, post]))
  queryClient.setQueriesData<ClientReview>(
    { queryKey: queryKeyOf(id) },
    (review) => review && { ...review, posts: review.posts.map((post) => byId.get(post.id) ?? post) },
  )
}

const reload = (id: string) => queryClient.invalidateQueries({ queryKey: queryKeyOf(id) })

/** Browsers finish calls with `keepalive` also after their page is gone, if their bodies have less than 64 KB together. */
const keepalive = true
const MAX_KEPT_ALIVE = 400

const sendOne = (id: string, { post, reason }: Decision) => {
  const params = { path: { id, post_id: post.id } }
  const { content_version } = post
  return unwrap(
    reason === null
      ? api.POST('/api/v1/review/{id}/posts/{post_id}/approve', { params, body: { content_version }, keepalive })
      : api.POST('/api/v1/review/{id}/posts/{post_id}/request-change', {
          params,
          body: { content_version, reason },
          keepalive,
        }),
  )
}

/** Approves these posts as they were seen. Returns how many were left out. */
async function sendApprovals(id: string, decisions: readonly Decision[], keepalive: boolean) {
  const posts = decisions.map(({ post }) => ({ id: post.id, content_version: post.content_version }))
  const { approved, left_out } = await unwrap(
    api.POST('/api/v1/review/{id}/approve', { params: { path: { id } }, body: { posts }, keepalive }),
  )
  show(id, approved)
  return left_out.length
}

const isOutdated = (error: unknown) =>
  isCode(error, 'content_changed') || isCode(error, 'not_found') || isCode(error, 'invalid_transition')

/**
 * Holds the decisions of a client for some seconds, in which each can be undone, and sends them. Until then, the server
 * knows nothing of them, so that nothing is published by a tap in error.
 */
export function useDecisions(id: string) {
  const held = useRef(new Map<string, Decision>())
  const sent = useRef(new Map<string, Decision>())
  const errors = useRef(new Map<string, unknown>())
  const leftOut = useRef(0)
  const [, render] = useReducer((count: number) => count + 1, 0)

  /** Sends what is held. One post has an error of its own; of several, those that cannot be approved are left out. */
  const send = useCallback(
    async (isDue: (decision: Decision) => boolean) => {
      const due = [...held.current.values()].filter(isDue)
      if (due.length === 0) return
      for (const decision of due) {
        held.current.delete(decision.post.id)
        sent.current.set(decision.post.id, decision)
      }
      render()
      const approvals = due.filter(({ reason }) => reason === null)
      const single = approvals.length > 1 ? due.filter(({ reason }) => reason !== null) : due
      const attempt = async (decisions: readonly Decision[], work: () => Promise<unknown>) => {
        try {
          await work()
        } catch (error) {
          for (const { post } of decisions) errors.current.set(post.id, error)
          if (isOutdated(error)) void reload(id)
        }
        for (const { post } of decisions) sent.current.delete(post.id)
        render()
      }
      const calls = single.map((decision) => attempt([decision], async () => show(id, [await sendOne(id, decision)])))
      if (approvals.length > 1)
        for (let start = 0; start < approvals.length; start += AT_ONCE) {
          const some = approvals.slice(start, start + AT_ONCE)
          calls.push(
            attempt(some, async () => {
              const left = await sendApprovals(id, some, due.length <= MAX_KEPT_ALIVE)
              leftOut.current += left
              if (left > 0) void reload(id)
            }),
          )
        }
      await Promise.all(calls)
    },
    [id],
  )

  const isHolding = held.current.size > 0
  useEffect(() => {
    if (!isHolding) return
    const timer = setInterval(() => {
      void send(({ dueAt }) => dueAt <= Date.now())
      render()
    }, 1000)
    return () => clearInterval(timer)
  }, [isHolding, send])
  useEffect(() => {
    const sendAll = () => void send(() => true)
    const onVisibility = () => document.visibilityState === 'hidden' && sendAll()
    window.addEventListener('pagehide', sendAll)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      window.removeEventListener('pagehide', sendAll)
      document.removeEventListener('visibilitychange', onVisibility)
      sendAll()
    }
  }, [send])

  const decide = (posts: readonly ReviewedPost[], reason: string | null) => {
    const dueAt = Date.now() + UNDO_MS
    leftOut.current = 0
    for (const post of posts) {
      errors.current.delete(post.id)
      held.current.set(post.id, { post, reason, dueAt })
    }
    render()
  }
  const undo = (post_id: string) => {
    held.current.delete(post_id)
    render()
  }
  /** The decision on a post that the server may not know yet. `seconds`: those in which it can be undone. */
  const heldOf = ({ id: post_id }: ReviewedPost) => {
    const decision = held.current.get(post_id) ?? sent.current.get(post_id)
    if (!decision) return undefined
    const seconds = held.current.has(post_id) ? Math.max(1, Math.ceil((decision.dueAt - Date.now()) / 1000)) : 0
    return { reason: decision.reason, seconds }
  }
  return { decide, undo, heldOf, errorOf: (post_id: string) => errors.current.get(post_id), leftOut: leftOut.current }
}

export type Decisions = ReturnType<typeof useDecisions>
