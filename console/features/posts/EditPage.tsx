import { Alert, Anchor, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, answered, type Network, type Post, workspaceApi } from '../../api'
import { NotYours, PageHead, Problem } from '../../ui/screens'
import { useOnce } from '../../ui/useOnce'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { fromWall, toWall } from '../../ui/zone'
import { accountsQuery, networksQuery } from '../accounts/queries'
import { useWorkspace } from '../workspaces/queries'
import { useAbilities } from './actions'
import { PostForm } from './PostForm'
import { postQuery, showPost } from './queries'
import { fieldsOf, newPostOf, outletsOf, type When, type Writing, writingOf } from './writing'

const route = getRouteApi('/inside/shell/w/$workspace/posts/$post/edit')

export function EditPage() {
  const { t } = useTranslation()
  useTitle(t('edit.title'))
  const workspace = useWorkspace()
  const { post: id } = route.useParams()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useQuery(networksQuery(workspace.slug))
  const post = useQuery(postQuery(workspace.slug, id))
  const error = accounts.error ?? networks.error ?? post.error
  const ready = accounts.data && networks.data && post.data
  return (
    <>
      <PageHead title={t('edit.title')} />
      {error && <Problem error={error} />}
      {!ready && !error && <Waiting lines={3} height={120} />}
      {ready && <Editing key={id} post={post.data} accounts={accounts.data} networks={networks.data} />}
    </>
  )
}

const whens: Partial<Record<Post['status'], When>> = { scheduled: 'later', draft: 'draft' }

function Editing({ post, accounts, networks }: { post: Post; accounts: Account[]; networks: Network[] }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const may = useAbilities(post)
  const params = { workspace: workspace.slug, post: post.id }
  const plannedFor =
    post.scheduled_at && post.status === 'scheduled' ? toWall(workspace.timezone, post.scheduled_at) : null
  const outlets = outletsOf(post, accounts)
  /** Whether it could be changed when the form was opened: then what is being written is not taken away. */
  const [begun] = useState(may.edit)
  const [initial] = useState<Writing>(() => ({
    ...writingOf(post, outlets),
    when: whens[post.status] ?? 'now',
    wall: plannedFor,
  }))
  const once = useOnce()
  const save = useMutation({
    mutationFn: async (writing: Writing) => {
      const { when, wall } = writing
      const client = workspaceApi(workspace.slug)
      // It went out while it was being changed: what was written is kept, as a post of its own.
      if (!may.edit) {
        const body = newPostOf(writing, workspace.timezone)
        return once(body, (headers) => answered(client.POST('/api/v1/posts', { body, headers })))
      }
      const path = { id: post.id }
      // A time that was not touched is not sent: on the clocks it lacks what only the moment has.
      const time =
        when === 'draft'
          ? { scheduled_at: null }
          : when === 'later' && wall && wall !== initial.wall
            ? { scheduled_at: fromWall(workspace.timezone, wall).toISOString() }
            : {}
      const body = { ...fieldsOf(writing, post.targets), ...time }
      const changed = await answered(client.PATCH('/api/v1/posts/{id}', { params: { path }, body }))
      if (when !== 'now') return changed
      return answered(client.POST('/api/v1/posts/{id}/publish', { params: { path } }))
    },
    onSuccess: (changed) => showPost(workspace.slug, changed),
  })
  if (!may.own) return <NotYours needs="editor" />
  const tooLate = !may.edit && !save.isPending && !save.isSuccess
  const notice = tooLate && (
    <Alert color="yellow" title={t('edit.too_late')} mb="lg">
      {t(begun ? 'edit.too_late_begun' : 'edit.too_late_detail')}{' '}
      <Anchor c="inherit" renderRoot={(props) => <Link to="/w/$workspace/posts/$post" params={params} {...props} />}>
        {t('edit.see')}
      </Anchor>
    </Alert>
  )
  if (tooLate && !begun) return notice
  return (
    <>
      {notice}
      <PostForm
        initial={initial}
        accounts={outlets}
        networks={networks}
        isChange={!tooLate && post.status === 'scheduled'}
        onSubmit={save.mutateAsync}
        onSaved={({ id }) => void navigate({ to: '/w/$workspace/posts/$post', params: { ...params, post: id } })}
        cancel={
          <Button
            variant="default"
            size="md"
            renderRoot={(props) => <Link to="/w/$workspace/posts/$post" params={params} {...props} />}
          >
            {t('ui.cancel')}
          </Button>
        }
        error={save.error}
        pending={save.isPending}
      />
    </>
  )
}
