import { useMutation } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { invalidateAgents } from '../agents/queries'
import { useWorkspace } from '../workspaces/queries'
import { invalidateRecipes, type Recipe } from './queries'

export function useUnpublishRecipe(id: string, onSuccess: (recipe: Recipe) => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () =>
      unwrap(workspaceApi(slug).POST('/api/v1/catalog/agent-recipes/{id}/unpublish', { params: { path: { id } } })),
    onSuccess,
    onSettled: invalidateRecipes,
  })
}

export function useUpdateFromRecipe(id: string, etag: string, onSuccess: () => void) {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (body: components['schemas']['UpdateFromRecipe']) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/agents/{id}/recipe-update', {
          params: { path: { id } },
          body,
          headers: { 'if-match': etag },
        }),
      ),
    onSuccess: async () => {
      await invalidateAgents(slug)
      onSuccess()
    },
  })
}
