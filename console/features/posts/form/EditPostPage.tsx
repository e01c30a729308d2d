import { Alert } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, type Network, type Post, unwrap, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { fromWall, toWall } from '../../../ui/text/time-zone'
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { usePostPermissions } from '../PostActions'
import { postQuery, showPost } from '../queries'
import { destinationsOf, type PostDraft, type PublishMode, toBody, toDraft, toNewPost } from './form-values'
import { PostForm } from './PostForm'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/$post/edit')

export function EditPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('edit.title'))
  const workspace = useWorkspace()
  const { post: id } = route.useParams()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const post = useQuery(postQuery(workspace.slug, id))
  const error = accounts.error ?? networks.error ?? post.error
  const ready = accounts.data && networks.data && post.data
  return (
    <>
      <PageHeader title={t('edit.title')} />
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && <EditPostForm key={id} post={post.data} accounts={accounts.data} networks={networks.data} />}
    </>
  )
}

const publishModes: Partial<Record<Post['status'], PublishMode>> = { scheduled: 'later', draft: 'draft' }

function EditPostForm({ post, accounts, networks }: { post: Post; accounts: Account[]; networks: Network[] }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const may = usePostPermissions(post)
  const params = { workspace: workspace.slug, post: post.id }
  const plannedFor =
    post.scheduled_at && post.status === 'scheduled' ? toWall(workspace.timezone, post.scheduled_at) : null
  const destinations = destinationsOf(post, accounts)
  /** Whether it was editable when the form opened: if so, the user's input is kept. */
  const [begun] = useState(may.edit)
  const [initial] = useState<PostDraft>(() => ({
    ...toDraft(post, destinations),
    when: publishModes[post.status] ?? 'now',
    wall: plannedFor,
  }))
  const once = useIdempotencyKey()
  const save = useMutation({
    mutationFn: async (draft: PostDraft) => {
      const { when, wall } = draft
      const client = workspaceApi(workspace.slug)
      // It was published during editing: the text is saved as a new post.
      if (!may.edit) {
        const body = toNewPost(draft, workspace.timezone)
        return once(body, (headers) => unwrap(client.POST('/api/v1/posts', { body, headers })))
      }
      const path = { id: post.id }
      // An unchanged time is not sent: the wall-clock time is less precise than the stored one.
      const time =
        when === 'draft'
          ? { scheduled_at: null }
          : when === 'later' && wall && wall !== initial.wall
            ? { scheduled_at: fromWall(workspace.timezone, wall).toISOString() }
            : {}
      const body = { ...toBody(draft, post.targets), ...time }
      const changed = await unwrap(client.PATCH('/api/v1/posts/{id}', { params: { path }, body }))
      if (when !== 'now') return changed
      return unwrap(client.POST('/api/v1/posts/{id}/publish', { params: { path } }))
    },
    onSuccess: (changed) => showPost(workspace.slug, changed),
  })
  if (!may.own) return <RoleRequired needs="editor" />
  const tooLate = !may.edit && !save.isPending && !save.isSuccess
  const notice = tooLate && (
    <Alert color="yellow" title={t('edit.too_late')} mb="lg">
      {t(begun ? 'edit.too_late_begun' : 'edit.too_late_detail')}{' '}
      <AnchorLink to="/w/$workspace/posts/$post" params={params} c="inherit">
        {t('edit.see')}
      </AnchorLink>
    </Alert>
  )
  if (tooLate && !begun) return notice
  return (
    <>
      {notice}
      <PostForm
        initial={initial}
        accounts={destinations}
        networks={networks}
        isChange={!tooLate && post.status === 'scheduled'}
        onSubmit={save.mutateAsync}
        onSaved={({ id }) => void navigate({ to: '/w/$workspace/posts/$post', params: { ...params, post: id } })}
        cancel={
          <ButtonLink to="/w/$workspace/posts/$post" params={params} variant="default" size="md">
            {t('ui.cancel')}
          </ButtonLink>
        }
        error={save.error}
        pending={save.isPending}
      />
    </>
  )
}
