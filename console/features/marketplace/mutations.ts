import { useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { useWorkspace } from '../workspaces/queries'
import type { Gig } from './queries'

export const invalidateGigs = (workspace: string) => queryClient.invalidateQueries({ queryKey: ['gigs', workspace] })

export function useSetGigStatus(id: string, onSuccess: (gig: Gig) => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (status: 'published' | 'paused') =>
      unwrap(workspaceApi(slug).PATCH('/api/v1/marketplace/gigs/{id}', { params: { path: { id } }, body: { status } })),
    onSuccess,
    onSettled: () => invalidateGigs(slug),
  })
}

export function useDeleteGig(id: string, onSuccess: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/marketplace/gigs/{id}', { params: { path: { id } } })),
    onSuccess,
    onSettled: () => invalidateGigs(slug),
  })
}
