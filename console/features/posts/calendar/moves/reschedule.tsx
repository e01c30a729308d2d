import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, type PostSummary, unwrap, type Workspace, workspaceApi } from '../../../../api'
import { problemMessage } from '../../../../ui/feedback/problem'
import { useFormat } from '../../../../ui/text/format'
import { fromWall, toWall, type Wall } from '../../../../ui/text/time-zone'
import { settleReschedule, showReschedule } from '../../changes'

/** Keys are often pressed several times in a row: only the final time is sent. */
const KEY_REPEAT_MS = 500

type Reschedule = {
  /** The post as stored on the server: in short before the first move is saved. */
  post: PostSummary | Post
  /** The time that undo restores; null if this is an undo. */
  origin: string | null
  wanted: string
  timer?: number | undefined
  isSaving: boolean
}

/** Moves by post id. The moves of a post are sent one at a time; of waiting moves only the last is sent. */
const pendingReschedules = new Map<string, Reschedule>()

/** Reschedules a post: on the screen at once, then on the server; back if the server refuses. */
export function useReschedulePost({ slug, timezone }: Workspace, onMoved: (wall: Wall) => void) {
  const { t } = useTranslation()
  const format = useFormat(timezone)
  const follow = useRef<typeof onMoved>(undefined)
  useEffect(() => {
    follow.current = onMoved
    return () => {
      follow.current = undefined
    }
  })
  useEffect(() => {
    const saveAll = () => {
      for (const move of pendingReschedules.values()) if (move.timer) void save(move)
    }
    window.addEventListener('pagehide', saveAll)
    return () => window.removeEventListener('pagehide', saveAll)
  })

  async function save(move: Reschedule) {
    clearTimeout(move.timer)
    move.timer = undefined
    // The running save checks for a newer time when it is done.
    if (move.isSaving) return
    move.isSaving = true
    const { id } = move.post
    const scheduled_at = move.wanted
    try {
      const params = { path: { id } }
      move.post = await unwrap(
        workspaceApi(slug).PATCH('/api/v1/posts/{id}', { params, body: { scheduled_at }, keepalive: true }),
      )
    } catch (error) {
      clearTimeout(move.timer)
      pendingReschedules.delete(id)
      settleReschedule(slug, move.post)
      if (move.post.scheduled_at) follow.current?.(toWall(timezone, move.post.scheduled_at))
      notifications.show({ color: 'coral', title: t('calendar.not_moved'), message: problemMessage(t, error) })
      return
    }
    move.isSaving = false
    if (move.timer) return
    if (move.wanted !== scheduled_at) return save(move)
    pendingReschedules.delete(id)
    settleReschedule(slug, move.post)
    tell(move)
  }

  function tell({ post, origin, wanted }: Reschedule) {
    const id = `moved-${post.id}`
    const undo = () => {
      if (!origin) return
      notifications.hide(id)
      const back: Reschedule = { post, origin: null, wanted: origin, isSaving: false }
      pendingReschedules.set(post.id, back)
      showReschedule(slug, post, origin)
      follow.current?.(toWall(timezone, origin))
      void save(back)
    }
    notifications.hide(id)
    notifications.show({
      id,
      autoClose: 8000,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text>{t(origin ? 'calendar.moved' : 'calendar.moved_back', { time: format.dateTime(wanted) })}</Text>
          {origin && (
            <Button size="compact-md" variant="light" onClick={undo}>
              {t('ui.undo')}
            </Button>
          )}
        </Group>
      ),
    })
  }

  /** `to` may compute the time from the last wanted one: keys come faster than renders. */
  return (post: PostSummary, to: Wall | ((from: Wall) => Wall), { soon = false } = {}) => {
    if (!post.scheduled_at) return
    const move: Reschedule = pendingReschedules.get(post.id) ?? {
      post,
      origin: post.scheduled_at,
      wanted: post.scheduled_at,
      isSaving: false,
    }
    const wall = typeof to === 'string' ? to : to(toWall(timezone, move.wanted))
    move.wanted = fromWall(timezone, wall).toISOString()
    pendingReschedules.set(post.id, move)
    clearTimeout(move.timer)
    showReschedule(slug, move.post, move.wanted)
    onMoved(wall)
    if (soon) move.timer = window.setTimeout(() => void save(move), KEY_REPEAT_MS)
    else void save(move)
  }
}
