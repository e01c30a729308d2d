import { ActionIcon, Badge, Button, Card, Text, Title, VisuallyHidden } from '@mantine/core'
import { ArrowDown, ArrowUp, CalendarClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Account } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { dayOf, toWall } from '../../../ui/text/time-zone'
import { AccountAvatar } from '../../accounts/AccountAvatar'
import { useAccountLabel } from '../../networks/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import type { QueueEntry } from './queries'
import classes from './queue.module.css'
import { useQueueMoves } from './useQueueMoves'

/** `accounts`: whose queue it is, in a list of several queues. */
export type ShownEntry = QueueEntry & { accounts?: Account[] }

type Props = {
  /** The account whose queue it is. Without one, posts do not move. */
  account?: string
  entries: ShownEntry[]
  hasTimes: boolean
  /** Shows more days. */
  onMore: (() => void) | undefined
}

/** The upcoming slots by day. Editors move queued posts by dragging them, or with the arrows. */
export function QueueList({ account, entries, hasTimes, onMore }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { timezone } = workspace
  const { locale } = useFormat()
  const mayMove = account !== undefined && isAtLeast(workspace, 'editor')
  const queued = entries.flatMap(({ queued: isQueued, post }) =>
    isQueued && post?.status === 'scheduled' ? [post.id] : [],
  )
  const { list, isMoving, swap, dragProps } = useQueueMoves(account ?? '', queued)

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
  return (
    <section aria-labelledby="upcoming">
      <Title order={2} size="h3" id="upcoming" mb="sm">
        {t('queue.upcoming')}
      </Title>
      <Card ref={list} padding={0} className={classes.list} aria-busy={isMoving}>
        {[...days].map(([day, ofDay]) => (
          <section key={day}>
            <Text component="h3" className={classes.day}>
              {dayName.format(new Date(`${day}T12:00:00Z`))}
            </Text>
            <ul>
              {ofDay.map((entry) => {
                const { post } = entry
                const place = post ? queued.indexOf(post.id) : -1
                const movable = mayMove && place >= 0
                return (
                  <li
                    key={`${entry.time} ${post?.id ?? entry.accounts?.[0]?.id}`}
                    className={classes.row}
                    data-post={post?.id}
                    data-free={post ? undefined : true}
                    {...dragProps(post?.id, movable)}
                  >
                    <EntryText entry={entry} account={entry.accounts?.[0]?.id ?? account} />
                    {movable && post && (
                      <MoveArrows
                        post={post}
                        isFirst={place === 0}
                        isLast={place === queued.length - 1}
                        onMove={(by) => swap({ post: post.id, by })}
                      />
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

type MoveArrowsProps = {
  post: NonNullable<QueueEntry['post']>
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
}

function MoveArrows({ post, isFirst, isLast, onMove }: MoveArrowsProps) {
  const { t } = useTranslation()
  const text = post.excerpt.slice(0, 60)
  const look = { variant: 'subtle', color: 'gray', size: 34 }
  return (
    <span className={classes.arrows}>
      <ActionIcon {...look} aria-label={t('queue.up', { text })} disabled={isFirst} onClick={() => onMove(-1)}>
        <ArrowUp size={17} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={t('queue.down', { text })} disabled={isLast} onClick={() => onMove(1)}>
        <ArrowDown size={17} />
      </ActionIcon>
    </span>
  )
}

function EntryText({
  entry: { time, post, queued, is_posting_time, accounts },
  account,
}: {
  entry: ShownEntry
  account: string | undefined
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug, timezone } = workspace
  const format = useFormat(timezone)
  const labelOf = useAccountLabel()
  const note = !post
    ? undefined
    : post.held === 'queue_paused'
      ? 'waits'
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
      {accounts && (
        <span className={classes.accounts}>
          {accounts.map((one) => (
            <AccountAvatar key={one.id} id={one.id} name={one.name} network={one.network} size={24} />
          ))}
          {accounts.length === 1 && (
            <span className={classes.account} aria-hidden="true">
              {accounts[0]?.name}
            </span>
          )}
          <VisuallyHidden>{format.list(accounts.map(labelOf))}</VisuallyHidden>
        </span>
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
          search={{ at: toWall(timezone, time), ...(account !== undefined && { account }) }}
          fz="sm"
          aria-label={t('queue.write_at', { time: format.dateTime(time) })}
        >
          {t('queue.write')}
        </AnchorLink>
      )}
    </>
  )
}
