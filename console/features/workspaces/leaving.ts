import { useNavigate } from '@tanstack/react-router'
import { queryClient, type Workspace } from '../../api'
import { workspacesQuery } from './queries'

/** Goes on to another workspace, or to where one is made, when this one is no longer there for who is signed in. */
export function useGoElsewhere() {
  const navigate = useNavigate()
  return async ({ id }: Workspace) => {
    const { queryKey } = workspacesQuery
    const rest = (queryClient.getQueryData(queryKey) ?? []).filter((other) => other.id !== id)
    const [next] = rest
    // Before the list is shorter: the room that is left has nothing to show without its workspace.
    if (next) await navigate({ to: '/w/$workspace', params: { workspace: next.slug }, ignoreBlocker: true })
    else await navigate({ to: '/new-workspace', ignoreBlocker: true })
    queryClient.setQueryData(queryKey, rest)
    await queryClient.invalidateQueries({ queryKey })
  }
}
