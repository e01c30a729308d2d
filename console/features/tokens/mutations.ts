import { useMutation } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../workspaces/queries'
import { type CreatedApiToken, tokensQuery } from './queries'

export function useRotateToken(onRotated: (token: CreatedApiToken) => void) {
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; overlap_seconds: number }) =>
      once(body, (headers) =>
        unwrap(workspaceApi(slug).POST('/api/v1/api-tokens/{id}/rotate', { params: { path: { id } }, body, headers })),
      ),
    onSuccess: onRotated,
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery(slug).queryKey }),
  })
}
