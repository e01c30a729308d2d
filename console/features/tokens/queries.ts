import { queryOptions } from '@tanstack/react-query'
import { allPages, unwrap, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

export type ApiToken = components['schemas']['ApiToken']
export type CreatedApiToken = components['schemas']['CreatedApiToken']
export type ScopeInfo = components['schemas']['ScopeInfo']

export const tokensQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['tokens', workspace],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/api-tokens', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** The list of scopes changes only with the version of Meydan. */
export const scopesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['scopes', workspace],
    queryFn: async () => (await unwrap(workspaceApi(workspace).GET('/api/v1/api-tokens/scopes'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The state of a token; the API refuses revoked and expired ones. */
export function stateOf({ revoked_at, expires_at }: ApiToken, now: Date) {
  if (revoked_at) return 'revoked'
  return expires_at && new Date(expires_at) <= now ? 'expired' : 'live'
}
