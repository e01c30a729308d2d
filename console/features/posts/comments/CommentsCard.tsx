import { Card, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, unwrap, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { CommentForm } from './CommentForm'
import classes from './comments.module.css'
import { DiscussionItem } from './DiscussionItem'
import { commentsQuery, discussionsOf, reloadComments } from './queries'

/** Shows the comments of members on a post. Clients never see them. */
export function CommentsCard({ post: { id } }: { post: Post }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const { data, error, isPending, refetch } = useQuery(commentsQuery(slug, id))
  const [state, setState] = useState<'open' | 'resolved'>('open')
  const once = useIdempotencyKey()
  const all = discussionsOf(data ?? [])
  const open = all.filter(({ first }) => first.resolved_at === null)
  const resolved = all.filter(({ first }) => first.resolved_at !== null)
  const isResolvedShown = state === 'resolved' && resolved.length > 0
  const shown = isResolvedShown ? resolved : open
  const say = async (text: string) => {
    const body = { body: text }
    await once(body, (headers) =>
      unwrap(workspaceApi(slug).POST('/api/v1/posts/{id}/comments', { params: { path: { id } }, body, headers })),
    )
    setState('open')
    await reloadComments(slug, id)
  }
  return (
    <Card component="section" aria-labelledby="comments">
      <Stack>
        <div>
          <Title order={2} size="h4" c="dimmed" id="comments" tabIndex={-1}>
            {t('comments.title')}
          </Title>
          <Text c="dimmed" fz="sm">
            {t('comments.about')}
          </Text>
        </div>
        {error && <ProblemAlert error={error} onRetry={() => refetch()} />}
        {isPending && <LoadingSkeleton lines={2} height={48} />}
        {resolved.length > 0 && (
          <SegmentedControl
            aria-label={t('comments.filter')}
            value={isResolvedShown ? 'resolved' : 'open'}
            onChange={(value) => setState(value === 'resolved' ? 'resolved' : 'open')}
            data={[
              { value: 'open', label: t('comments.open', { count: open.length }) },
              { value: 'resolved', label: t('comments.resolved', { count: resolved.length }) },
            ]}
          />
        )}
        {data && shown.length === 0 && <Text>{t(all.length === 0 ? 'comments.none' : 'comments.none_open')}</Text>}
        {shown.length > 0 && (
          <ul className={classes.discussions} aria-labelledby="comments">
            {shown.map((discussion) => (
              <DiscussionItem key={discussion.first.id} discussion={discussion} />
            ))}
          </ul>
        )}
        {isAtLeast(workspace, 'author') && (
          <CommentForm label={t('comments.new')} submitLabel={t('comments.send')} onSubmit={say} />
        )}
      </Stack>
    </Card>
  )
}
