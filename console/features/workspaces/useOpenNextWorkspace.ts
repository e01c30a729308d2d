import { useNavigate } from '@tanstack/react-router'
import { queryClient, type Workspace } from '../../api'
import { workspacesQuery } from './queries'

/** Opens another workspace, or the page that creates one, when the user has lost this one. */
export function useOpenNextWorkspace() {
  const navigate = useNavigate()
  return async ({ id }: Workspace) => {
    const { queryKey } = workspacesQuery
    const rest = (queryClient.getQueryData(queryKey) ?? []).filter((other) => other.id !== id)
    const [next] = rest
    // Before the list is updated: the page being left needs its workspace.
    if (next) await navigate({ to: '/w/$workspace', params: { workspace: next.slug }, ignoreBlocker: true })
    else await navigate({ to: '/new-workspace', ignoreBlocker: true })
    queryClient.setQueryData(queryKey, rest)
    await queryClient.invalidateQueries({ queryKey })
  }
}
