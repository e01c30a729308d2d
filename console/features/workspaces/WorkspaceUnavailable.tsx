import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../api'
import { EmptyState } from '../../ui/EmptyState'
import { useDocumentTitle } from '../../ui/useDocumentTitle'
import { useMe } from '../auth/queries'
import { workspacesQuery } from './queries'

/** Replaces a page whose workspace the user can no longer open. */
export function WorkspaceUnavailable({ workspace: { name } }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const title = t('workspace.lost', { name })
  useDocumentTitle(title)
  const me = useMe()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const next = workspaces.find(({ id }) => id === me.workspace_id) ?? workspaces[0]
  return (
    <div role="alert">
      <EmptyState
        icon={<UserX size={26} />}
        title={title}
        action={
          next ? (
            <Button renderRoot={(props) => <Link to="/w/$workspace" params={{ workspace: next.slug }} {...props} />}>
              {t('workspace.go_to', { name: next.name })}
            </Button>
          ) : (
            <Button renderRoot={(props) => <Link to="/new-workspace" {...props} />}>{t('workspace.new')}</Button>
          )
        }
      >
        {t('workspace.lost_detail')}
      </EmptyState>
    </div>
  )
}
