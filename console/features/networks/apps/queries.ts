import { queryOptions } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import type { Language } from '../../../i18n'

export type NetworkApp = components['schemas']['NetworkApp']

export const networkAppsQuery = (locale: Language) =>
  queryOptions({
    queryKey: ['network-apps', locale],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/network-apps', { params: { query: { locale } } }))).data,
  })

/** Reloads what depends on which networks are set up. */
export const invalidateNetworkApps = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['network-apps'] }),
    queryClient.invalidateQueries({ queryKey: ['networks'] }),
  ])
