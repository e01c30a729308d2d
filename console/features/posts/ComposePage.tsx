import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Account, answered, type Post, workspaceApi } from '../../api'
import { NotYours, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { fromWall } from '../../ui/zone'
import { accountsQuery, networksQuery } from '../accounts/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { PostForm, type Writing } from './PostForm'
import { postQuery, showPost } from './queries'

const route = getRouteApi('/inside/shell/w/$workspace/posts/new')

/** The targets that a writing means, in the order in which the accounts were chosen. */
export const targetsOf = ({ accounts, own }: Writing, before: Post['targets'] = []) =>
  accounts.map((account_id) => ({
    account_id,
    content: own[account_id] ?? null,
    options: before.find((target) => target.account_id === account_id)?.options ?? {},
  }))

/** The text and accounts of a post, to go on with. Accounts that are gone meanwhile are left out. */
export const writingOf = ({ content, labels, targets }: Post, accounts: Account[]) => ({
  content,
  labels,
  accounts: targets.map(({ account_id }) => account_id).filter((id) => accounts.some((account) => account.id === id)),
  own: Object.fromEntries(
    targets.flatMap(({ account_id, content: text }) => (text === null ? [] : [[account_id, text]])),
  ),
})

export function ComposePage() {
  const { t } = useTranslation()
  useTitle(t('compose.title'))
  const workspace = useWorkspace()
  const { at, copy } = route.useSearch()
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useQuery(networksQuery(workspace.slug))
  const original = useQuery({ ...postQuery(workspace.slug, copy ?? ''), enabled: copy !== undefined })
  const create = useMutation({
    mutationFn: (writing: Writing) => {
      const { content, labels, when, wall } = writing
      const body = {
        content,
        labels,
        targets: targetsOf(writing),
        ...(when === 'now' && { publish_now: true }),
        ...(when === 'later' && wall && { scheduled_at: fromWall(workspace.timezone, wall).toISOString() }),
      }
      return answered(workspaceApi(workspace.slug).POST('/api/v1/posts', { body }))
    },
    onSuccess: (post) => {
      showPost(workspace.slug, post)
      notifications.show({
        message: t(
          `compose.done_${post.status === 'draft' ? 'draft' : post.scheduled_at && new Date(post.scheduled_at) > new Date() ? 'later' : 'now'}`,
        ),
      })
      return navigate({ to: '/w/$workspace/posts/$post', params: { workspace: workspace.slug, post: post.id } })
    },
  })
  if (!isAtLeast(workspace, 'author')) return <NotYours />
  const error = accounts.error ?? networks.error ?? original.error
  const ready = accounts.data && networks.data && (copy === undefined || original.data)
  return (
    <>
      <PageHead title={t('compose.title')} />
      {error && <Problem error={error} />}
      {!ready && !error && <Waiting lines={3} height={120} />}
      {ready && (
        <PostForm
          initial={{
            ...(original.data ? writingOf(original.data, accounts.data) : emptyWriting(accounts.data)),
            when: at ? 'later' : 'now',
            wall: at ?? null,
          }}
          accounts={accounts.data}
          networks={networks.data}
          onSubmit={create.mutateAsync}
          error={create.error}
          pending={create.isPending}
        />
      )}
    </>
  )
}

/** Who has one account means that one. */
const emptyWriting = (accounts: Account[]) => {
  const usable = accounts.filter(({ status }) => status === 'connected')
  return { content: '', labels: [], own: {}, accounts: usable.length === 1 ? usable.map(({ id }) => id) : [] }
}
