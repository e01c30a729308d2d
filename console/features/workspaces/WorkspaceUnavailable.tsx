import { useSuspenseQuery } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useMe } from '../auth/queries'
import { lastWorkspace, workspacesQuery } from './queries'

/** Replaces a page whose workspace the user can no longer open. */
export function WorkspaceUnavailable({ workspace: { name } }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const title = t('workspace.lost', { name })
  useDocumentTitle(title)
  const me = useMe()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const next = lastWorkspace(workspaces, me)
  return (
    <div role="alert">
      <EmptyState
        icon={<UserX size={26} />}
        title={title}
        action={
          next ? (
            <ButtonLink to="/w/$workspace" params={{ workspace: next.slug }}>
              {t('workspace.go_to', { name: next.name })}
            </ButtonLink>
          ) : (
            <ButtonLink to="/new-workspace">{t('workspace.new')}</ButtonLink>
          )
        }
      >
        {t('workspace.lost_detail')}
      </EmptyState>
    </div>
  )
}
