import { queryOptions } from '@tanstack/react-query'
import { allPages, unwrap, unwrapWithEtag, workspaceApi } from '../../api'
import type { components } from '../../api.gen'

export type Gig = components['schemas']['Gig']

/** The user's own gigs in the workspace. */
export const gigsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['gigs', workspace, 'mine'],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/marketplace/gigs/mine', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/** A gig, with the ETag that a change sends back. */
export const gigQuery = (workspace: string, id: string) =>
  queryOptions({
    queryKey: ['gigs', workspace, 'one', id],
    queryFn: () =>
      unwrapWithEtag(workspaceApi(workspace).GET('/api/v1/marketplace/gigs/{id}', { params: { path: { id } } })),
  })
