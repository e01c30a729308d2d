import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { NewPostForm } from './NewPostForm'
import { usePostSeries } from './usePostSeries'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/new')

export function NewPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('compose.title'))
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const { at, account, copy, only, draft } = route.useSearch()
  /** The draft in the address when the page was opened, such as by a reload. */
  const [reopened] = useState(draft)
  const { count, kept, showDraft, leave } = usePostSeries({
    draft,
    onDraft: (id) =>
      navigate({
        search: ({ draft: _, ...search }) => ({ ...search, ...(id && { draft: id }) }),
        replace: true,
        ignoreBlocker: id !== undefined,
        // A draft is saved while the user writes: the page must not jump.
        resetScroll: id === undefined,
      }),
    onEnd: ({ id }) =>
      void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: workspace.slug, post: id } }),
  })
  if (reopened)
    return (
      <Navigate to="/w/$workspace/posts/$post/edit" params={{ workspace: workspace.slug, post: reopened }} replace />
    )
  if (!isAtLeast(workspace, 'author')) return <RoleRequired needs="author" />
  return (
    <>
      <PageHeader title={t('compose.title')} />
      <NewPostForm
        key={`${at} ${copy} ${count}`}
        at={at}
        account={account}
        // Only the first post is the copy.
        {...(count === 0 && { copy, only })}
        kept={kept}
        onDraft={showDraft}
        onSaved={leave}
      />
    </>
  )
}
