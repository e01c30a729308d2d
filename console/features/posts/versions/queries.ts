import { queryOptions } from '@tanstack/react-query'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'

export type VersionSummary = components['schemas']['PostVersionSummary']
export type Version = components['schemas']['PostVersion']

/** All versions of a post, newest first. It keeps no more than a page of them. */
export const versionsQuery = (workspace: string, post: string, updated_at: string) =>
  queryOptions({
    queryKey: ['versions', workspace, post, updated_at],
    queryFn: async () => {
      const params = { path: { id: post }, query: { limit: 100 } }
      return (await unwrap(workspaceApi(workspace).GET('/api/v1/posts/{id}/versions', { params }))).data
    },
  })

/** `created_at`: when what one member writes is one version, its content changes. */
export const versionQuery = (workspace: string, { id, post_id, created_at }: VersionSummary) =>
  queryOptions({
    queryKey: ['version', workspace, id, created_at],
    queryFn: () => {
      const params = { path: { id: post_id, version_id: id } }
      return unwrap(workspaceApi(workspace).GET('/api/v1/posts/{id}/versions/{version_id}', { params }))
    },
  })

export const reloadVersions = (workspace: string, post: string) =>
  queryClient.invalidateQueries({ queryKey: ['versions', workspace, post] })
