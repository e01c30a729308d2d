import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Network, unwrap, workspaceApi } from '../../api'
import { type Language, languageOf } from '../../i18n'
import { useCurrentWorkspace } from '../workspaces/queries'

/** Networks change with the version of Meydan, and when an instance admin sets one up. */
export const networksQuery = (workspace: string, language: Language) =>
  queryOptions({
    queryKey: ['networks', workspace, language],
    queryFn: async () => {
      const query = { locale: language }
      return (await unwrap(workspaceApi(workspace).GET('/api/v1/accounts/networks', { params: { query } }))).data
    },
    staleTime: 60_000,
  })

/** The networks, with their texts in the language of the console. Stays pending outside of a workspace. */
export function useNetworks() {
  const { i18n } = useTranslation()
  const workspace = useCurrentWorkspace()
  return useQuery({
    ...networksQuery(workspace?.slug ?? '', languageOf(i18n.language)),
    enabled: workspace !== undefined,
  })
}

/** A network by its id; undefined while the list is loading, and if this version does not know the network. */
export function useNetwork(id: string) {
  return useNetworks().data?.find((network) => network.id === id)
}

/** Returns a function from the id of a network to its name; until the list is loaded, to the id. */
export function useNetworkNames() {
  const networks = useNetworks().data
  return (id: string) => networks?.find((network) => network.id === id)?.name ?? id
}

/** The handle of an account as its network writes it. */
export const handleOn = (network: Network | undefined, handle: string) =>
  `${network?.preview.handle_prefix ?? ''}${handle}`

/** Returns a function that names an account with its network and handle, where several may have the same name. */
export function useAccountLabel() {
  const networks = useNetworks().data
  return ({ name, network: id, handle }: { name: string; network: string; handle: string }) => {
    const network = networks?.find((one) => one.id === id)
    return `${name} (${network?.name ?? id}, ${handleOn(network, handle)})`
  }
}

/** The name of a network that needs no credentials, to begin with; empty while the list is loading. */
export function useEasiestNetwork() {
  return useNetworks().data?.find(({ connect, form }) => connect.kind === 'form' && form.length === 0)?.name ?? ''
}
