import { ActionIcon, Badge, Button, Card, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, CalendarClock } from 'lucide-react'
import { type DragEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { dayOf, toWall } from '../../../ui/text/time-zone'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import type { QueueEntry } from './queries'
import classes from './queue.module.css'

type Move = { post_id: string; before: string }
type Swap = { post: string; by: 1 | -1 }

/** The upcoming slots by day. Editors move queued posts by dragging them, or with the arrows. */
export function QueueList({
  account,
  entries,
  hasTimes,
  onMore,
}: {
  account: string
  entries: QueueEntry[]
  hasTimes: boolean
  /** Shows more days. */
  onMore: (() => void) | undefined
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug, timezone } = workspace
  const { locale } = useFormat()
  const mayMove = isAtLeast(workspace, 'editor')
  const queued = entries.flatMap(({ queued: isQueued, post }) =>
    isQueued && post?.status === 'scheduled' ? [post.id] : [],
  )
  const list = useRef<HTMLDivElement>(null)
  const focused = useRef<string>(undefined)
  const dragged = useRef<string>(undefined)
  /** The press of an arrow while another move is saved. */
  const afterMove = useRef<Swap>(undefined)
  const move = useMutation({
    mutationFn: (body: Move) =>
      unwrap(workspaceApi(slug).POST('/api/v1/accounts/{id}/queue/move', { params: { path: { id: account } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['posts', slug] }),
    onError: useErrorNotification(),
  })
  const swap = ({ post, by }: Swap) => {
    if (move.isPending) {
      afterMove.current = { post, by }
      return
    }
    const index = queued.indexOf(post)
    const [post_id, before] = by === 1 ? [queued[index + 1], post] : [post, queued[index - 1]]
    if (!post_id || !before) return
    focused.current = post
    move.mutate({ post_id, before })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the order
  useLayoutEffect(() => {
    if (move.isPending) return
    // A moved post is rendered at another place. Its button gets the focus back.
    if (focused.current) {
      const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-post="${focused.current}"] button`)
      const enabled = [...(buttons ?? [])].filter(({ disabled }) => !disabled)
      if (!enabled.some((button) => button === document.activeElement)) enabled[0]?.focus()
      focused.current = undefined
    }
    const waiting = afterMove.current
    afterMove.current = undefined
    if (waiting) swap(waiting)
  }, [queued.join(), move.isPending])

  if (!hasTimes && entries.length === 0)
    return (
      <Card padding={0}>
        <EmptyState icon={<CalendarClock size={26} />} title={t('queue.none')}>
          {t(mayMove ? 'queue.none_detail' : 'queue.none_viewer')}
        </EmptyState>
      </Card>
    )
  const days = Map.groupBy(entries, ({ time }) => dayOf(toWall(timezone, time)))
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const dropOn = (post: string | undefined) =>
    post !== undefined && {
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (!dragged.current || dragged.current === post) return
        event.preventDefault()
        event.currentTarget.dataset.over = ''
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        delete event.currentTarget.dataset.over
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        delete event.currentTarget.dataset.over
        event.preventDefault()
        if (dragged.current && dragged.current !== post) move.mutate({ post_id: dragged.current, before: post })
      },
    }
  return (
    <section aria-labelledby="upcoming">
      <Title order={2} size="h3" id="upcoming" mb="sm">
        {t('queue.upcoming')}
      </Title>
      <Card ref={list} padding={0} className={classes.list} aria-busy={move.isPending}>
        {[...days].map(([day, ofDay]) => (
          <section key={day}>
            <Text component="h3" className={classes.day}>
              {dayName.format(new Date(`${day}T12:00:00Z`))}
            </Text>
            <ul>
              {ofDay.map((entry) => {
                const id = entry.post?.id
                const place = id === undefined ? -1 : queued.indexOf(id)
                const movable = mayMove && place >= 0
                return (
                  <li
                    key={`${entry.time} ${id}`}
                    className={classes.row}
                    data-post={id}
                    data-free={id === undefined || undefined}
                    draggable={movable}
                    onDragStart={() => {
                      dragged.current = id
                    }}
                    onDragEnd={() => {
                      dragged.current = undefined
                    }}
                    {...dropOn(movable ? id : undefined)}
                  >
                    <EntryText entry={entry} account={account} />
                    {movable && id !== undefined && (
                      <span className={classes.arrows}>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          size={34}
                          aria-label={t('queue.up', { text: entry.post?.excerpt.slice(0, 60) })}
                          disabled={place === 0}
                          onClick={() => swap({ post: id, by: -1 })}
                        >
                          <ArrowUp size={17} />
                        </ActionIcon>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          size={34}
                          aria-label={t('queue.down', { text: entry.post?.excerpt.slice(0, 60) })}
                          disabled={place === queued.length - 1}
                          onClick={() => swap({ post: id, by: 1 })}
                        >
                          <ArrowDown size={17} />
                        </ActionIcon>
                      </span>
                    )}
                  </li>
                )
              })}
            </ul>
          </section>
        ))}
      </Card>
      {onMore && (
        <Button variant="default" mt="sm" onClick={onMore}>
          {t('queue.more')}
        </Button>
      )}
      <Text c="dimmed" fz="sm" mt="sm">
        {t(mayMove ? 'queue.how' : 'queue.how_viewer', { zone: timezone })}
      </Text>
    </section>
  )
}

function EntryText({
  entry: { time, post, queued, is_posting_time },
  account,
}: {
  entry: QueueEntry
  account: string
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug, timezone } = workspace
  const format = useFormat(timezone)
  const note = !post
    ? undefined
    : post.review === 'pending'
      ? 'in_review'
      : !queued
        ? 'by_hand'
        : is_posting_time
          ? undefined
          : 'off_time'
  return (
    <>
      <time className={`tabular ${classes.time}`} dateTime={time}>
        {format.time(time)}
      </time>
      {post ? (
        <AnchorLink
          to="/w/$workspace/posts/$post"
          params={{ workspace: slug, post: post.id }}
          c="inherit"
          className={classes.words}
          dir="auto"
        >
          {post.excerpt || t('posts.empty')}
        </AnchorLink>
      ) : (
        <span className={classes.words}>{t('queue.free')}</span>
      )}
      {note && (
        <Badge variant="light" color="gray">
          {t(`queue.${note}`)}
        </Badge>
      )}
      {!post && isAtLeast(workspace, 'author') && (
        <AnchorLink
          to="/w/$workspace/posts/new"
          params={{ workspace: slug }}
          search={{ at: toWall(timezone, time), account }}
          fz="sm"
          aria-label={t('queue.write_at', { time: format.dateTime(time) })}
        >
          {t('queue.write')}
        </AnchorLink>
      )}
    </>
  )
}
