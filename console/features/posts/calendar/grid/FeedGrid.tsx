import { Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Clock, Grid3x3 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Account, PostSummary } from '../../../../api'
import { EmptyState } from '../../../../ui/feedback/EmptyState'
import { useFormat } from '../../../../ui/text/format'
import { AccountAvatar } from '../../../accounts/AccountAvatar'
import { handleOn, useNetwork } from '../../../networks/queries'
import { useWorkspace } from '../../../workspaces/queries'
import { PostStatusBadge, statusWithReview } from '../../PostStatusBadge'
import { plannedTime } from '../../queries'
import type { CalendarSearch } from '../../search-params'
import classes from './FeedGrid.module.css'

const timeOf = (post: PostSummary) => post.published_at ?? plannedTime(post) ?? ''

/** The posts of an account side by side, the latest first, as visitors of its page will see them. */
export function FeedGrid({
  account,
  posts,
  calendar,
}: {
  account: Account | undefined
  posts: readonly PostSummary[]
  /** The view to go back to from a post. */
  calendar: CalendarSearch
}) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const network = useNetwork(account?.network ?? '')
  if (!account)
    return (
      <EmptyState icon={<Grid3x3 size={26} />} title={t('calendar_grid.no_account')}>
        {t('calendar_grid.no_account_detail')}
      </EmptyState>
    )
  const shown = posts
    .filter(({ status }) => status !== 'failed' && status !== 'unpublished')
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)) || b.id.localeCompare(a.id))
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
      <ul className={classes.grid}>
        {shown.map((post) => {
          const status = statusWithReview(post)
          const time = format.dateTime(timeOf(post))
          return (
            <li key={post.id}>
              <Link
                to="/w/$workspace/posts/$post"
                params={{ workspace: slug, post: post.id }}
                state={{ calendar }}
                className={classes.post}
              >
                {post.thumbnail_url ? (
                  <img src={post.thumbnail_url} alt="" loading="lazy" />
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
