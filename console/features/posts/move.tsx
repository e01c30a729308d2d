import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, type Post, type Workspace, workspaceApi } from '../../api'
import { useFormat } from '../../ui/format'
import { problemMessage } from '../../ui/problem'
import { fromWall, toWall, type Wall } from '../../ui/zone'
import { settleMove, showMove } from './queries'

/** Keys are often pressed several times in a row: only where they lead is told to the server. */
const KEYS_MS = 500

type Move = {
  /** The post as the server has it. */
  post: Post
  /** Where undoing leads; null for what is an undoing itself. */
  origin: string | null
  wanted: string
  timer?: number | undefined
  isSaving: boolean
}

/** By post: the moves of one post are told one after the other, and of those that wait only the last. */
const moves = new Map<string, Move>()

/** Gives a post another time: at once on the screen, then at the server; back again when that refuses. */
export function useMovePost({ slug, timezone }: Workspace, onMoved: (wall: Wall) => void) {
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
      for (const move of moves.values()) if (move.timer) void save(move)
    }
    window.addEventListener('pagehide', saveAll)
    return () => window.removeEventListener('pagehide', saveAll)
  })

  async function save(move: Move) {
    clearTimeout(move.timer)
    move.timer = undefined
    // Whoever is saving looks again when it is done.
    if (move.isSaving) return
    move.isSaving = true
    const { id } = move.post
    const scheduled_at = move.wanted
    try {
      const params = { path: { id } }
      move.post = await answered(
        workspaceApi(slug).PATCH('/api/v1/posts/{id}', { params, body: { scheduled_at }, keepalive: true }),
      )
    } catch (error) {
      clearTimeout(move.timer)
      moves.delete(id)
      settleMove(slug, move.post)
      if (move.post.scheduled_at) follow.current?.(toWall(timezone, move.post.scheduled_at))
      notifications.show({ color: 'coral', title: t('calendar.not_moved'), message: problemMessage(t, error) })
      return
    }
    move.isSaving = false
    if (move.timer) return
    if (move.wanted !== scheduled_at) return save(move)
    moves.delete(id)
    settleMove(slug, move.post)
    tell(move)
  }

  function tell({ post, origin, wanted }: Move) {
    const id = `moved-${post.id}`
    const undo = () => {
      if (!origin) return
      notifications.hide(id)
      const back: Move = { post, origin: null, wanted: origin, isSaving: false }
      moves.set(post.id, back)
      showMove(slug, post, origin)
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

  /** `to` may say where from there. Keys come faster than the screen is drawn, so the last wanted time counts, not the shown. */
  return (post: Post, to: Wall | ((from: Wall) => Wall), { soon = false } = {}) => {
    if (!post.scheduled_at) return
    const move: Move = moves.get(post.id) ?? {
      post,
      origin: post.scheduled_at,
      wanted: post.scheduled_at,
      isSaving: false,
    }
    const wall = typeof to === 'string' ? to : to(toWall(timezone, move.wanted))
    move.wanted = fromWall(timezone, wall).toISOString()
    moves.set(post.id, move)
    clearTimeout(move.timer)
    showMove(slug, move.post, move.wanted)
    onMoved(wall)
    if (soon) move.timer = window.setTimeout(() => void save(move), KEYS_MS)
    else void save(move)
  }
}
