import { Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Clock, Grid3x3 } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account, PostSummary } from '../../../../api'
import { EmptyState } from '../../../../ui/feedback/EmptyState'
import { dropTarget } from '../../../../ui/layout/drop-target'
import { useFormat } from '../../../../ui/text/format'
import { AccountAvatar } from '../../../accounts/AccountAvatar'
import { handleOn, useNetwork } from '../../../networks/queries'
import { useWorkspace } from '../../../workspaces/queries'
import { PostStatusBadge, statusWithReview } from '../../PostStatusBadge'
import { plannedTime } from '../../queries'
import type { CalendarSearch } from '../../search-params'
import classes from './FeedGrid.module.css'

/** The places by which a key moves a post in three columns. */
const places: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }

const timeOf = (post: PostSummary) => post.published_at ?? plannedTime(post) ?? ''

/** The posts of an account side by side, the latest first, as visitors of its page will see them. */
export function FeedGrid({
  account,
  posts,
  calendar,
  mayMove,
  onSwap,
}: {
  account: Account | undefined
  posts: readonly PostSummary[]
  /** The view to go back to from a post. */
  calendar: CalendarSearch
  mayMove: (post: PostSummary) => boolean
  /** Gives each of two posts the time of the other. */
  onSwap: (one: PostSummary, other: PostSummary) => Promise<void>
}) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const network = useNetwork(account?.network ?? '')
  const dragged = useRef<PostSummary>(undefined)
  const focused = useRef<string>(undefined)
  const grid = useRef<HTMLUListElement>(null)
  // A post that was swapped by keyboard is in another place. It gets the focus back before the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of posts
  useLayoutEffect(() => {
    if (focused.current) grid.current?.querySelector<HTMLElement>(`[data-post="${focused.current}"]`)?.focus()
  }, [posts])
  if (!account)
    return (
      <EmptyState icon={<Grid3x3 size={26} />} title={t('calendar_grid.no_account')}>
        {t('calendar_grid.no_account_detail')}
      </EmptyState>
    )
  const shown = posts
    .filter(({ status }) => status !== 'failed' && status !== 'unpublished')
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)) || b.id.localeCompare(a.id))
  const swapByKey = (event: KeyboardEvent, index: number) => {
    const other = event.shiftKey ? shown[index + (places[event.key] ?? Number.NaN)] : undefined
    const post = shown[index]
    if (!post || !other || !mayMove(post) || !mayMove(other)) return
    event.preventDefault()
    focused.current = post.id
    void onSwap(post, other)
  }
  return (
    <section className={classes.feed} aria-label={t('calendar_grid.label', { name: account.name })}>
      <div className={classes.account}>
        <AccountAvatar id={account.id} name={account.name} network={account.network} picture={account.avatar_url} />
        <div>
          <Text fw={600} dir="auto">
            {account.name}
          </Text>
          <Text fz="sm" c="dimmed">
            {handleOn(network, account.handle)}
          </Text>
        </div>
      </div>
      {shown.length === 0 && <Text c="dimmed">{t('calendar_grid.empty')}</Text>}
      <ul ref={grid} className={classes.grid}>
        {shown.map((post, index) => {
          const status = statusWithReview(post)
          const time = format.dateTime(timeOf(post))
          return (
            <li
              key={post.id}
              {...dropTarget({
                accepts: () => dragged.current !== undefined && dragged.current.id !== post.id && mayMove(post),
                onDrop: () => dragged.current && void onSwap(dragged.current, post),
              })}
            >
              <Link
                to="/w/$workspace/posts/$post"
                params={{ workspace: slug, post: post.id }}
                state={{ calendar }}
                className={classes.post}
                data-post={post.id}
                draggable={mayMove(post)}
                aria-describedby={mayMove(post) ? 'how-to-move' : undefined}
                onKeyDown={(event) => swapByKey(event, index)}
                onBlur={() => {
                  focused.current = undefined
                }}
                onDragStart={(event) => {
                  dragged.current = post
                  event.dataTransfer.effectAllowed = 'move'
                }}
                onDragEnd={() => {
                  dragged.current = undefined
                }}
              >
                {post.thumbnail_url ? (
                  <img src={post.thumbnail_url} alt="" loading="lazy" draggable={false} />
                ) : (
                  <span className={classes.words} dir="auto" aria-hidden="true">
                    {post.excerpt || t('posts.empty')}
                  </span>
                )}
                <VisuallyHidden>{post.excerpt || t('posts.empty')}</VisuallyHidden>
                {status === 'published' ? (
                  <VisuallyHidden>, {time}</VisuallyHidden>
                ) : (
                  <span className={classes.planned}>
                    {status === 'scheduled' ? (
                      <>
                        <Clock size={13} aria-hidden="true" />
                        <VisuallyHidden>{t('status.scheduled')}, </VisuallyHidden>
                      </>
                    ) : (
                      <PostStatusBadge status={status} />
                    )}
                    <span className="tabular" aria-hidden="true">
                      {format.monthDay(timeOf(post))}
                    </span>
                    <VisuallyHidden>{time}</VisuallyHidden>
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
