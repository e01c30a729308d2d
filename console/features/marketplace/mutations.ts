import { useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../workspaces/queries'
import type { Balance, Gig } from './queries'

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

/** Archives a gig, or brings it back. */
export function useArchiveGig(id: string, onSuccess: (gig: Gig) => void) {
  const { slug } = useWorkspace()
  const params = { path: { id } }
  return useMutation({
    mutationFn: (archive: boolean) =>
      unwrap(
        archive
          ? workspaceApi(slug).POST('/api/v1/marketplace/gigs/{id}/archive', { params })
          : workspaceApi(slug).POST('/api/v1/marketplace/gigs/{id}/unarchive', { params }),
      ),
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

/** Refetches what a payout changes. */
const invalidateEarnings = (workspace: string) => queryClient.invalidateQueries({ queryKey: ['earnings', workspace] })

export function useRequestPayout(onSuccess: () => void) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: (body: { currency: Balance['currency']; amount: number }) =>
      once(body, (headers) => unwrap(workspaceApi(slug).POST('/api/v1/marketplace/payouts', { body, headers }))),
    onSuccess,
    onSettled: () => invalidateEarnings(slug),
  })
}

export function useCancelPayout(id: string, onSuccess: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () =>
      unwrap(workspaceApi(slug).POST('/api/v1/marketplace/payouts/{id}/cancel', { params: { path: { id } } })),
    onSuccess,
    onSettled: () => invalidateEarnings(slug),
  })
}
