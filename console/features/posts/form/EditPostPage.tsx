import { Alert } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, isCode, type Network, type Post, unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { focusAndShow } from '../../../ui/focus/focus'
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
import { type LoadedPost, postQuery, postVersionQuery, showPost } from '../queries'
import { combinePart, type DraftPart } from './conflict/merge'
import { PostConflictPanel } from './conflict/PostConflictPanel'
import { usePostVersions } from './conflict/usePostVersions'
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
  const opened = useQuery(postVersionQuery(workspace.slug, id))
  const error = accounts.error ?? networks.error ?? post.error ?? opened.error
  const ready = accounts.data && networks.data && post.data && opened.data
  return (
    <>
      <PageHeader title={t('edit.title')} />
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <EditPostForm
          key={id}
          post={post.data}
          opened={opened.data}
          accounts={accounts.data}
          networks={networks.data}
        />
      )}
    </>
  )
}

const publishModes: Partial<Record<Post['status'], PublishMode>> = { scheduled: 'later', draft: 'draft' }

type Props = {
  /** The post as it is now. */
  post: Post
  /** The version that the form begins with. */
  opened: LoadedPost
  accounts: Account[]
  networks: Network[]
}

function EditPostForm({ post, opened, accounts, networks }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const may = usePostPermissions(post)
  const params = { workspace: workspace.slug, post: post.id }
  const destinations = destinationsOf(post, accounts)
  const toValues = (version: Post): PostDraft => ({
    ...toDraft(version, destinationsOf(version, accounts)),
    when: publishModes[version.status] ?? 'now',
    wall:
      version.scheduled_at && version.status === 'scheduled' ? toWall(workspace.timezone, version.scheduled_at) : null,
  })
  /** Whether it was editable when the form opened: if so, the user's input is kept. */
  const [begun] = useState(may.edit)
  const form = useForm<PostDraft>({ initialValues: toValues(opened.record) })
  const once = useIdempotencyKey()
  const client = workspaceApi(workspace.slug)
  const change = async (draft: PostDraft, { etag, record }: LoadedPost) => {
    const { when, wall } = draft
    // An unchanged time is not sent: the wall-clock time is less precise than the stored one.
    const time =
      when === 'draft'
        ? { scheduled_at: null }
        : when === 'later' && wall && wall !== toValues(record).wall
          ? { scheduled_at: fromWall(workspace.timezone, wall).toISOString() }
          : {}
    const body = { ...toBody(draft), ...time }
    const path = { id: post.id }
    return unwrapWithEtag(client.PATCH('/api/v1/posts/{id}', { params: { path }, body, headers: { 'if-match': etag } }))
  }
  const save = useMutation({
    mutationFn: async (draft: PostDraft) => {
      // It was published during editing: the text is saved as a new post.
      if (!may.edit) {
        const body = toNewPost(draft, workspace.timezone)
        return once(body, (headers) => unwrap(client.POST('/api/v1/posts', { body, headers })))
      }
      const changed = await change(draft, versions.base).catch(async (error) => {
        if (!isCode(error, 'version_conflict')) throw error
        const current = await versions.catchUp()
        if (!current || current.open.length) throw error
        return change(current.merged, current.latest)
      })
      versions.rebase(changed)
      if (draft.when !== 'now') return changed.record
      return unwrap(client.POST('/api/v1/posts/{id}/publish', { params: { path: { id: post.id } } }))
    },
    onSuccess: (changed) => showPost(workspace.slug, changed),
  })
  const versions = usePostVersions(form, opened, toValues, post, save.isPending || save.isSuccess)
  const { conflict } = versions
  const panel = useRef<HTMLDivElement>(null)
  const combine = (part: DraftPart) => {
    if (!conflict) return
    form.setValues(combinePart(form.getValues(), part, conflict.theirDraft))
    versions.decide([part], 'mine')
  }
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
      {conflict && !tooLate && (
        <PostConflictPanel
          conflict={conflict}
          mine={form.values}
          accounts={destinations}
          onDecide={versions.decide}
          onCombine={combine}
          onDismiss={versions.dismiss}
          panelRef={panel}
        />
      )}
      <PostForm
        form={form}
        accounts={destinations}
        networks={networks}
        isChange={!tooLate && post.status === 'scheduled'}
        onSubmit={save.mutateAsync}
        mustDecide={() => {
          if (tooLate || !conflict?.open.length) return false
          focusAndShow(panel.current)
          return true
        }}
        onSaved={({ id }) => void navigate({ to: '/w/$workspace/posts/$post', params: { ...params, post: id } })}
        cancel={
          <ButtonLink to="/w/$workspace/posts/$post" params={params} variant="default" size="md">
            {t('ui.cancel')}
          </ButtonLink>
        }
        error={isCode(save.error, 'version_conflict') && conflict ? null : save.error}
        pending={save.isPending}
      />
    </>
  )
}
