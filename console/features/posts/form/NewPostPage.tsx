import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Post, unwrap, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { postQuery, showPost } from '../queries'
import { emptyDraft, type PostDraft, toDraft, toNewPost } from './form-values'
import { PostForm } from './PostForm'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/new')

export function NewPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('compose.title'))
  const workspace = useWorkspace()
  const { at, copy, only } = route.useSearch()
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const original = useQuery({ ...postQuery(workspace.slug, copy ?? ''), enabled: copy !== undefined })
  const once = useIdempotencyKey()
  const create = useMutation({
    mutationFn: (draft: PostDraft) => {
      const body = toNewPost(draft, workspace.timezone)
      return once(body, (headers) => unwrap(workspaceApi(workspace.slug).POST('/api/v1/posts', { body, headers })))
    },
    onSuccess: (post) => showPost(workspace.slug, post),
  })
  const leave = (post: Post) => {
    const isLater = post.status === 'scheduled' && String(post.scheduled_at) > new Date().toISOString()
    notifications.show({ message: t(`compose.done_${post.status === 'draft' ? 'draft' : isLater ? 'later' : 'now'}`) })
    void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: workspace.slug, post: post.id } })
  }
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  const error = accounts.error ?? networks.error ?? original.error
  const ready = accounts.data && networks.data && (copy === undefined || original.data)
  return (
    <>
      <PageHeader title={t('compose.title')} />
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <PostForm
          key={`${at} ${copy}`}
          initial={{
            ...(original.data
              ? toDraft(original.data, only ? accounts.data.filter(({ id }) => id === only) : accounts.data)
              : emptyDraft(accounts.data)),
            when: at ? 'later' : 'now',
            wall: at ?? null,
          }}
          accounts={accounts.data}
          networks={networks.data}
          onSubmit={create.mutateAsync}
          onSaved={leave}
          error={create.error}
          pending={create.isPending}
        />
      )}
    </>
  )
}
