import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MINUTE } from '../../../../shared/time'
import { type Post, queryClient, type Workspace } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { moveWall, toWall, type Wall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import type { PostDraft } from '../form/form-values'
import { queueQuery } from '../queue/queries'
import { rememberChoices } from './last-choices'

/** The span in which a free slot is looked for, the longest that the API returns. */
const QUEUE_SPAN = 62 * 24 * 60 * MINUTE

/** Values with which the next post of a series begins. */
export type KeptChoices = Pick<PostDraft, 'accounts' | 'labels' | 'when' | 'wall'>

type Series = {
  /** The posts begun here so far. */
  count: number
  /** The draft that the current post became by itself, or that was opened before this post was begun. */
  draft?: string
  /** The draft that is on its way into the address. */
  coming?: string
  /** Whether `draft` is saved for good: its form was left, and the address still names it. */
  isEnded?: boolean
  kept?: KeptChoices
}

type Place = {
  /** The draft in the address, which a reload continues. */
  draft: string | undefined
  /** Puts a draft into the address, or removes it. */
  onDraft: (id: string | undefined) => Promise<void>
  /** Leaves for good. `isWaiting`: the post is a draft or is published later. */
  onEnd: (post: Post, isWaiting: boolean) => void
}

/** Posts that are written one after the other, on a page or in the panel over the calendar. */
export function usePostSeries({ draft, onDraft, onEnd }: Place) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const [series, setSeries] = useState<Series>({ count: 0 })
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  if (series.draft && series.draft !== draft) {
    const { draft: _, isEnded, ...others } = series
    // A link begins another post.
    setSeries(isEnded ? others : { count: series.count + 1 })
  }

  const showDraft = async (id: string) => {
    setSeries((known) => ({ ...known, coming: id }))
    await onDraft(id)
    setSeries(({ coming: _, ...known }) => ({ ...known, draft: id }))
  }
  const leave = async (post: Post, another: boolean, { accounts, labels, when, wall }: PostDraft) => {
    rememberChoices(workspace, { accounts, when })
    const { status, scheduled_at } = post
    const isLater = status === 'scheduled' && scheduled_at !== null && scheduled_at > new Date().toISOString()
    const isWaiting = status === 'draft' || isLater
    // The page of a post shows its publishing, and how that ended.
    if (isWaiting || another)
      notifications.show({
        message:
          when === 'queue' && isLater
            ? t('compose.done_queue', { time: format.dateTime(scheduled_at) })
            : t(`compose.done_${status === 'draft' ? 'draft' : isLater ? 'later' : 'now'}`),
      })
    if (!another) return onEnd(post, isWaiting)
    const isPlanned = when === 'later' && isLater
    const kept = {
      accounts,
      labels,
      when,
      wall: isPlanned ? await nextTime(workspace, accounts[0], scheduled_at) : wall,
    }
    // The user may have left in the meantime.
    if (!isShown.current) return
    setSeries(({ count }) => ({ count: count + 1, kept, ...(draft && { draft, isEnded: true }) }))
    await onDraft(undefined)
  }
  return {
    count: series.count,
    kept: series.kept,
    /** The draft that belongs to the form of a new post. */
    own: series.draft ?? series.coming,
    showDraft: (id: string) => void showDraft(id),
    leave: (post: Post, another: boolean, values: PostDraft) => void leave(post, another, values),
  }
}

/**
 * The time of the post after one that was scheduled at `time`: the next free slot of its first account, or the same
 * time of the next day.
 */
async function nextTime({ slug, timezone }: Workspace, account: string | undefined, time: string): Promise<Wall> {
  const from = Date.parse(time) + MINUTE
  const span = { from: new Date(from).toISOString(), to: new Date(from + QUEUE_SPAN).toISOString() }
  const queue = account && (await queryClient.fetchQuery(queueQuery(slug, account, span)).catch(() => undefined))
  const free = queue ? queue.data.find(({ post }) => post === null) : undefined
  return free ? toWall(timezone, free.time) : moveWall(toWall(timezone, time), { days: 1 })
}
