import { queryOptions } from '@tanstack/react-query'
import { allPages, answered, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

export type ApiToken = components['schemas']['ApiToken']
export type CreatedApiToken = components['schemas']['CreatedApiToken']
export type ScopeInfo = components['schemas']['ScopeInfo']

export const tokensQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['tokens', workspace],
    queryFn: () =>
      allPages((cursor) =>
        answered(
          workspaceApi(workspace).GET('/api/v1/api-tokens', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** What scopes there are changes with the version of Meydan only. */
export const scopesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['scopes', workspace],
    queryFn: async () => (await answered(workspaceApi(workspace).GET('/api/v1/api-tokens/scopes'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A token that is refused from now on was revoked, or its time is over. */
export function stateOf({ revoked_at, expires_at }: ApiToken, now: Date) {
  if (revoked_at) return 'revoked'
  return expires_at && new Date(expires_at) <= now ? 'expired' : 'live'
}
