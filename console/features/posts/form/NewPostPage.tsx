import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
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
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { postQuery, showPost } from '../queries'
import { emptyDraft, type PostDraft, toDraft, toNewPost } from './form-values'
import { lastAccounts, rememberAccounts } from './last-accounts'
import { PostForm } from './PostForm'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/new')

export function NewPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('compose.title'))
  const workspace = useWorkspace()
  const { at, copy, only } = route.useSearch()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const original = useQuery({ ...postQuery(workspace.slug, copy ?? ''), enabled: copy !== undefined })
  /** The posts saved here so far, and when the next one is published at first. */
  const [next, setNext] = useState<{ count: number; time: Pick<PostDraft, 'when' | 'wall'> }>()
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  const error = accounts.error ?? networks.error ?? original.error
  const ready = accounts.data && networks.data && (copy === undefined || original.data)
  const startOf = (known: Account[]): PostDraft => {
    const time = next?.time ?? { when: at ? ('later' as const) : ('now' as const), wall: at ?? null }
    const isCopy = original.data && !next
    if (isCopy)
      return {
        ...toDraft(original.data, only ? known.filter(({ id }) => only.split(' ').includes(id)) : known),
        ...time,
      }
    return { ...emptyDraft(known, lastAccounts(workspace)), ...time }
  }
  return (
    <>
      <PageHeader title={t('compose.title')} />
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <NewPostForm
          key={`${at} ${copy} ${next?.count}`}
          start={startOf(accounts.data)}
          accounts={accounts.data}
          networks={networks.data}
          onAnother={(time) => setNext({ count: (next?.count ?? 0) + 1, time })}
        />
      )}
    </>
  )
}

type Props = {
  start: PostDraft
  accounts: Account[]
  networks: Network[]
  /** Begins another post after this one was saved. */
  onAnother: (time: Pick<PostDraft, 'when' | 'wall'>) => void
}

function NewPostForm({ start, accounts, networks, onAnother }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const form = useForm<PostDraft>({ initialValues: start })
  const once = useIdempotencyKey()
  const create = useMutation({
    mutationFn: (draft: PostDraft) => {
      const body = toNewPost(draft, workspace.timezone)
      return once(body, (headers) => unwrap(workspaceApi(workspace.slug).POST('/api/v1/posts', { body, headers })))
    },
    onSuccess: (post, { accounts: used }) => {
      rememberAccounts(workspace, used)
      showPost(workspace.slug, post)
    },
  })
  const leave = (post: Post, another: boolean) => {
    const isLater = post.status === 'scheduled' && String(post.scheduled_at) > new Date().toISOString()
    // The page of a post shows its publishing, and how that ended.
    if (post.status === 'draft' || isLater || another)
      notifications.show({
        message: t(`compose.done_${post.status === 'draft' ? 'draft' : isLater ? 'later' : 'now'}`),
      })
    const { when, wall } = form.getValues()
    if (another) return onAnother({ when, wall })
    void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: workspace.slug, post: post.id } })
  }
  return (
    <PostForm
      form={form}
      accounts={accounts}
      networks={networks}
      onSubmit={create.mutateAsync}
      onSaved={leave}
      error={create.error}
      pending={create.isPending}
    />
  )
}
