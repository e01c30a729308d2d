import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, type Post, workspaceApi } from '../../api'
import { NotYours, PageHead, Problem } from '../../ui/screens'
import { useOnce } from '../../ui/useOnce'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { accountsQuery, networksQuery } from '../accounts/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { PostForm } from './PostForm'
import { postQuery, showPost } from './queries'
import { emptyWriting, newPostOf, type Writing, writingOf } from './writing'

const route = getRouteApi('/inside/shell/w/$workspace/posts/new')

export function ComposePage() {
  const { t } = useTranslation()
  useTitle(t('compose.title'))
  const workspace = useWorkspace()
  const { at, copy, only } = route.useSearch()
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useQuery(networksQuery(workspace.slug))
  const original = useQuery({ ...postQuery(workspace.slug, copy ?? ''), enabled: copy !== undefined })
  const once = useOnce()
  const create = useMutation({
    mutationFn: (writing: Writing) => {
      const body = newPostOf(writing, workspace.timezone)
      return once(body, (headers) => answered(workspaceApi(workspace.slug).POST('/api/v1/posts', { body, headers })))
    },
    onSuccess: (post) => showPost(workspace.slug, post),
  })
  const leave = (post: Post) => {
    const isLater = post.status === 'scheduled' && String(post.scheduled_at) > new Date().toISOString()
    notifications.show({ message: t(`compose.done_${post.status === 'draft' ? 'draft' : isLater ? 'later' : 'now'}`) })
    void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: workspace.slug, post: post.id } })
  }
  if (!isAtLeast(workspace, 'author')) return <NotYours needs="author" />
  const error = accounts.error ?? networks.error ?? original.error
  const ready = accounts.data && networks.data && (copy === undefined || original.data)
  return (
    <>
      <PageHead title={t('compose.title')} />
      {error && <Problem error={error} />}
      {!ready && !error && <Waiting lines={3} height={120} />}
      {ready && (
        <PostForm
          key={`${at} ${copy}`}
          initial={{
            ...(original.data
              ? writingOf(original.data, only ? accounts.data.filter(({ id }) => id === only) : accounts.data)
              : emptyWriting(accounts.data)),
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
