import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Repeat } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PostSummary } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { NetworkIcon } from '../../networks/NetworkIcon'
import { useNetworkNames } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { PostStatusBadge, statusWithReview } from '../PostStatusBadge'
import classes from '../posts.module.css'
import { plannedTime } from '../queries'
import type { CalendarSearch } from '../search-params'

/** Labels shown in a row; the others are in the title of a count. */
const MAX_LABELS = 2

/** The networks of a post, without duplicates. */
export const networksOf = ({ targets }: Pick<PostSummary, 'targets'>) => [
  ...new Set(targets.map(({ network }) => network)),
]

/**
 * A post in one line: networks, text, time, state. The whole line is a link. It uses plain elements, because lists have
 * many. `calendar`: the view of the calendar to go back to.
 */
export function PostRow({ post, calendar }: { post: PostSummary; calendar?: CalendarSearch }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const networks = networksOf(post)
  const nameOf = useNetworkNames()
  const time = post.published_at ?? plannedTime(post)
  return (
    <Link
      to="/w/$workspace/posts/$post"
      params={{ workspace: workspace.slug, post: post.id }}
      {...(calendar && { state: { calendar } })}
      className={classes.row}
    >
      <span className={classes.networks}>
        {networks.map((network) => (
          <NetworkIcon key={network} network={network} size={18} />
        ))}
        <VisuallyHidden>{networks.map(nameOf).join(', ')}</VisuallyHidden>
      </span>
      <span className={classes.excerpt} data-empty={post.excerpt === '' || undefined}>
        <span className={classes.words} dir="auto">
          {post.excerpt || t('posts.empty')}
        </span>
        {post.labels.length > 0 && (
          <span className={classes.labels}>
            {post.labels.slice(0, MAX_LABELS).map((label) => (
              <span key={label} className={classes.label} dir="auto">
                {label}
              </span>
            ))}
            {post.labels.length > MAX_LABELS && (
              <span className={classes.label} title={post.labels.slice(MAX_LABELS).join(', ')}>
                +{post.labels.length - MAX_LABELS}
              </span>
            )}
          </span>
        )}
      </span>
      <span className={classes.meta}>
        <span className={`tabular ${classes.when}`}>
          {post.recurring_post_id && (
            <>
              <Repeat size={14} aria-hidden="true" style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />
              <VisuallyHidden>{t('recurring.mark')} </VisuallyHidden>
            </>
          )}
          {time ? format.dateTime(time) : t('posts.no_time')}
        </span>
        <PostStatusBadge status={statusWithReview(post)} />
      </span>
    </Link>
  )
}
