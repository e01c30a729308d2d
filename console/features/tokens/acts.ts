import { useMutation } from '@tanstack/react-query'
import { answered, queryClient, workspaceApi } from '../../api'
import { useOnce } from '../../ui/useOnce'
import { useWorkspace } from '../workspaces/queries'
import { type CreatedApiToken, tokensQuery } from './queries'

export function useRotate(onRotated: (token: CreatedApiToken) => void) {
  const { slug } = useWorkspace()
  const once = useOnce()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; overlap_seconds: number }) =>
      once(body, (headers) =>
        answered(
          workspaceApi(slug).POST('/api/v1/api-tokens/{id}/rotate', { params: { path: { id } }, body, headers }),
        ),
      ),
    onSuccess: onRotated,
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery(slug).queryKey }),
  })
}
