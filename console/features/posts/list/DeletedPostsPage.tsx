import { Button, Card, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { showPost } from '../changes'
import { usePostPermissions } from '../PostActions'
import { PostStatusBadge } from '../PostStatusBadge'
import classes from '../posts.module.css'
import { deletedPostsQuery } from '../queries'

type DeletedPost = components['schemas']['DeletedPost']

/** The posts of the last day that were deleted and can be restored. */
export function DeletedPostsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('trash.title'))
  const { slug } = useWorkspace()
  const posts = useQuery(deletedPostsQuery(slug))
  return (
    <>
      <BackLink to="/w/$workspace/posts" params={{ workspace: slug }}>
        {t('post.back')}
      </BackLink>
      <PageHeader title={t('trash.title')} about={t('trash.about')} />
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {posts.isPending && <LoadingSkeleton lines={4} height={52} />}
      {posts.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Trash2 size={26} />} title={t('trash.none')}>
            {t('trash.none_detail')}
          </EmptyState>
        </Card>
      )}
      {posts.data && posts.data.length > 0 && (
        <Card className={classes.list} padding={0}>
          <ul>
            {posts.data.map((post) => (
              <DeletedPostRow key={post.id} post={post} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function DeletedPostRow({ post }: { post: DeletedPost }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const may = usePostPermissions(post)
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const restore = useMutation({
    mutationFn: () =>
      unwrap(workspaceApi(slug).POST('/api/v1/posts/{id}/restore', { params: { path: { id: post.id } } })),
    onSuccess: (restored) => {
      gone.current = true
      showPost(slug, restored)
      const isDraft = restored.status === 'draft' && post.status !== 'draft'
      notifications.show({ message: t(isDraft ? 'posts.restored_draft' : 'posts.restored') })
      return queryClient.invalidateQueries({ queryKey: deletedPostsQuery(slug).queryKey })
    },
    onError: useErrorNotification(),
  })
  return (
    <li ref={at} className={classes.deleted}>
      <span className={classes.words} dir="auto">
        {post.excerpt || t('posts.empty')}
      </span>
      <Text component="time" dateTime={post.deleted_at} title={format.full(post.deleted_at)} c="dimmed" fz="sm">
        {t('trash.deleted', { ago: format.ago(post.deleted_at) })}
      </Text>
      <PostStatusBadge status={post.status} />
      {may.own && (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<RotateCcw size={15} />}
          loading={restore.isPending}
          aria-label={t('trash.restore_one', { text: post.excerpt.slice(0, 60) || t('posts.empty') })}
          onClick={() => restore.mutate()}
        >
          {t('trash.restore')}
        </Button>
      )}
    </li>
  )
}
