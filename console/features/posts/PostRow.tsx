import { Group, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../api'
import { useFormat } from '../../ui/format'
import { NetworkIcon } from '../accounts/NetworkIcon'
import { useWorkspace } from '../workspaces/queries'
import classes from './posts.module.css'
import { Status } from './Status'

/** The networks that a post goes to, each once. */
export const networksOf = ({ targets }: Pick<Post, 'targets'>) => [...new Set(targets.map(({ network }) => network))]

export function Networks({ post, size = 18 }: { post: Pick<Post, 'targets'>; size?: number }) {
  const names = networksOf(post)
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {names.map((network) => (
        <NetworkIcon key={network} network={network} size={size} />
      ))}
      <VisuallyHidden>{names.join(', ')}</VisuallyHidden>
    </Group>
  )
}

/** A post in one line: where to, what, when, how it stands. The whole line leads to it. */
export function PostRow({ post }: { post: Post }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const time = post.published_at ?? post.scheduled_at
  return (
    <Link to="/w/$workspace/posts/$post" params={{ workspace: workspace.slug, post: post.id }} className={classes.row}>
      <Networks post={post} />
      <Text truncate className={classes.excerpt} c={post.content ? undefined : 'dimmed'}>
        {post.content || t('posts.empty')}
      </Text>
      <Text c="dimmed" fz="sm" className={`tabular ${classes.when}`}>
        {time ? format.dateTime(time) : t('posts.no_time')}
      </Text>
      <Status status={post.status} />
    </Link>
  )
}
