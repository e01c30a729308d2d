import { queryOptions } from '@tanstack/react-query'
import { api, queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import type { Language } from '../../../i18n'

type Schemas = components['schemas']

/** `app_in_use`: only of an app of a workspace. */
export type NetworkApp = Schemas['NetworkApp'] & Partial<Pick<Schemas['WorkspaceNetworkApp'], 'app_in_use'>>

/** Calls for the apps of one owner. */
export type AppCalls = {
  save: (network: string, body: Schemas['NetworkAppInput']) => Promise<unknown>
  test: (network: string) => Promise<Schemas['NetworkAppTest']>
  remove: (network: string) => Promise<unknown>
}

const pathOf = (network: string) => ({ params: { path: { network } } })

export const callsOfInstance: AppCalls = {
  save: (network, body) => unwrap(api.PUT('/api/v1/admin/network-apps/{network}', { ...pathOf(network), body })),
  test: (network) => unwrap(api.POST('/api/v1/admin/network-apps/{network}/test', { ...pathOf(network), body: {} })),
  remove: (network) => unwrap(api.DELETE('/api/v1/admin/network-apps/{network}', pathOf(network))),
}

export function callsOfWorkspace(workspace: string): AppCalls {
  const client = workspaceApi(workspace)
  const path = '/api/v1/workspace/network-apps/{network}'
  return {
    save: (network, body) => unwrap(client.PUT(path, { ...pathOf(network), body })),
    test: (network) => unwrap(client.POST(`${path}/test`, { ...pathOf(network), body: {} })),
    remove: (network) => unwrap(client.DELETE(path, pathOf(network))),
  }
}

export const networkAppsQuery = (locale: Language) =>
  queryOptions({
    queryKey: ['network-apps', locale],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/network-apps', { params: { query: { locale } } }))).data,
  })

export const workspaceAppsQuery = (workspace: string, locale: Language) =>
  queryOptions({
    queryKey: ['network-apps', workspace, locale],
    queryFn: async () => {
      const params = { query: { locale } }
      return (await unwrap(workspaceApi(workspace).GET('/api/v1/workspace/network-apps', { params }))).data
    },
  })

/** Reloads what depends on which networks are set up. */
export const invalidateNetworkApps = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['network-apps'] }),
    queryClient.invalidateQueries({ queryKey: ['networks'] }),
  ])
