import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account, Post } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { postQuery } from '../queries'
import { emptyDraft, type PostDraft, toDraft } from './form-values'
import { lastAccounts, rememberAccounts } from './last-accounts'
import { PostEditor } from './PostEditor'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/new')

export function NewPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('compose.title'))
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const { at, account, copy, only, draft } = route.useSearch()
  const format = useFormat(workspace.timezone)
  /** The draft in the address when the page was opened, such as by a reload. */
  const [reopened] = useState(draft)
  const accounts = useQuery(accountsQuery(workspace.slug))
  const networks = useNetworks()
  const original = useQuery({ ...postQuery(workspace.slug, copy ?? ''), enabled: copy !== undefined })
  /** The posts begun here so far, the draft of the last one, and when it is published at first. */
  const [next, setNext] = useState<{ count: number; draft?: string; time?: Pick<PostDraft, 'when' | 'wall'> }>({
    count: 0,
  })
  // A link to this page begins another post.
  if (next.draft && next.draft !== draft) setNext({ count: next.count + 1 })
  if (reopened)
    return (
      <Navigate to="/w/$workspace/posts/$post/edit" params={{ workspace: workspace.slug, post: reopened }} replace />
    )
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  const error = accounts.error ?? networks.error ?? original.error
  const ready = accounts.data && networks.data && (copy === undefined || original.data)
  const startOf = (known: Account[]): PostDraft => {
    const time = next.time ?? { when: at ? ('later' as const) : ('now' as const), wall: at ?? null }
    const isCopy = original.data && next.count === 0
    if (isCopy)
      return {
        ...toDraft(original.data, only ? known.filter(({ id }) => only.split(' ').includes(id)) : known),
        ...time,
      }
    return { ...emptyDraft(known, account ? [account] : lastAccounts(workspace)), ...time }
  }
  const leave = (post: Post, another: boolean, { accounts: used, when, wall }: PostDraft) => {
    rememberAccounts(workspace, used)
    const isLater = post.status === 'scheduled' && String(post.scheduled_at) > new Date().toISOString()
    // The page of a post shows its publishing, and how that ended.
    if (post.status === 'draft' || isLater || another)
      notifications.show({
        message:
          when === 'queue' && isLater && post.scheduled_at
            ? t('compose.done_queue', { time: format.dateTime(post.scheduled_at) })
            : t(`compose.done_${post.status === 'draft' ? 'draft' : isLater ? 'later' : 'now'}`),
      })
    const params = { workspace: workspace.slug, post: post.id }
    if (!another) return void navigate({ to: '/w/$workspace/posts/$post', params })
    setNext({ count: next.count + 1, time: { when, wall } })
    void navigate({ search: ({ draft: _, ...search }) => search, replace: true })
  }
  /** Puts the draft into the address, so that a reload continues it. */
  const showDraft = async (id: string) => {
    await navigate({ search: (search) => ({ ...search, draft: id }), replace: true, ignoreBlocker: true })
    setNext((known) => ({ ...known, draft: id }))
  }
  return (
    <>
      <PageHeader title={t('compose.title')} />
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <PostEditor
          key={`${at} ${copy} ${next.count}`}
          start={startOf(accounts.data)}
          accounts={accounts.data}
          networks={networks.data}
          onDraft={(id) => void showDraft(id)}
          onSaved={leave}
        />
      )}
    </>
  )
}
