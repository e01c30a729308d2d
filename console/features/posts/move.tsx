import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, type Post, type Workspace, workspaceApi } from '../../api'
import { useFormat } from '../../ui/format'
import { problemMessage } from '../../ui/problem'
import { fromWall, toWall, type Wall } from '../../ui/zone'
import { showPost } from './queries'

/** Keys are often pressed several times in a row: only where they lead is told to the server. */
const KEYS_MS = 500

/**
 * Gives a post another time: at once on the screen, then at the server; back again when that refuses. `onMoved` hears
 * where it is now, as long as what shows it is there.
 */
export function useMovePost({ slug, timezone }: Workspace, onMoved: (wall: Wall) => void) {
  const { t } = useTranslation()
  const format = useFormat(timezone)
  const waiting = useRef(new Map<string, { before: Post; wall: Wall; save: () => void; timer: number }>())
  const follow = useRef<typeof onMoved>(undefined)
  useEffect(() => {
    follow.current = onMoved
  })
  useEffect(() => {
    const moves = waiting.current
    return () => {
      follow.current = undefined
      for (const { save, timer } of moves.values()) {
        clearTimeout(timer)
        save()
      }
    }
  }, [])

  async function tell(before: Post, scheduled_at: string, undoing: boolean) {
    const id = `moved-${before.id}`
    try {
      const call = workspaceApi(slug).PATCH('/api/v1/posts/{id}', {
        params: { path: { id: before.id } },
        body: { scheduled_at },
      })
      showPost(slug, await answered(call))
      if (undoing) follow.current?.(toWall(timezone, scheduled_at))
      notifications.hide(id)
      const time = format.dateTime(scheduled_at)
      const undo = () => {
        notifications.hide(id)
        void tell({ ...before, scheduled_at }, before.scheduled_at ?? scheduled_at, true)
      }
      notifications.show({
        id,
        autoClose: 8000,
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text>{t(undoing ? 'calendar.moved_back' : 'calendar.moved', { time })}</Text>
            {!undoing && (
              <Button size="compact-md" variant="light" onClick={undo}>
                {t('ui.undo')}
              </Button>
            )}
          </Group>
        ),
      })
    } catch (error) {
      showPost(slug, before)
      if (before.scheduled_at) follow.current?.(toWall(timezone, before.scheduled_at))
      notifications.show({
        color: 'coral',
        title: t('calendar.not_moved'),
        message: problemMessage(t, error),
      })
    }
  }

  /** `to` may say where from there. Keys come faster than the screen is drawn, so the last wanted time counts, not the shown. */
  return (post: Post, to: Wall | ((from: Wall) => Wall), { soon = false } = {}) => {
    const earlier = waiting.current.get(post.id)
    const from = earlier?.wall ?? toWall(timezone, post.scheduled_at ?? post.created_at)
    const wall = typeof to === 'string' ? to : to(from)
    const scheduled_at = fromWall(timezone, wall).toISOString()
    if (earlier) clearTimeout(earlier.timer)
    const before = earlier?.before ?? post
    showPost(slug, { ...post, scheduled_at })
    onMoved(wall)
    const save = () => {
      waiting.current.delete(post.id)
      void tell(before, scheduled_at, false)
    }
    if (soon) waiting.current.set(post.id, { before, wall, save, timer: window.setTimeout(save, KEYS_MS) })
    else save()
  }
}
