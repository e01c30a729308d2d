import { queryOptions } from '@tanstack/react-query'
import { allPages, queryClient, unwrap, workspaceApi } from '../../api'
import { currentLanguage } from '../../i18n'
import { networksQuery } from '../networks/queries'

export const accountsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['accounts', workspace],
    queryFn: () =>
      allPages((cursor) =>
        unwrap(
          workspaceApi(workspace).GET('/api/v1/accounts', {
            params: { query: { limit: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
    // The pulse tells when an account changed.
    staleTime: 30_000,
  })

/** Fetches again what depends on an account that was changed: also the warnings of posts, which are not changed by it. */
export async function reloadAccounts(workspace: string) {
  for (const subject of ['posts', 'post-counts', 'account-groups'])
    void queryClient.invalidateQueries({ queryKey: [subject, workspace] })
  await queryClient.invalidateQueries({ queryKey: accountsQuery(workspace).queryKey })
}

export const prefetchAccounts = (workspace: string) =>
  Promise.all([
    queryClient.prefetchQuery(accountsQuery(workspace)),
    queryClient.prefetchQuery(networksQuery(workspace, currentLanguage())),
  ])

const MAX_COUNTED = 100

/** The number of scheduled posts for an account, counted up to 100. */
export const scheduledCountQuery = (workspace: string, account: string) =>
  queryOptions({
    queryKey: ['posts', workspace, 'waiting', account],
    queryFn: async () => {
      const query = { status: 'scheduled', account_id: account, limit: MAX_COUNTED } as const
      const { data, next_cursor } = await unwrap(
        workspaceApi(workspace).GET('/api/v1/posts/summaries', { params: { query } }),
      )
      return { count: data.length, number: `${data.length}${next_cursor ? '+' : ''}` }
    },
  })
