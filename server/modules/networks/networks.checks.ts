import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { networksWithApp, providerOf } from './apps/apps.ts'
import { apiVersionInUse } from './calls/version.ts'
import { networks } from './registry.ts'

const apps = check({
  name: 'network_apps',
  group: 'providers',
  outcomes: {
    ok: ok('Networks at which people can sign in: {{count}}.'),
    none: ok('No app of a network is set up. Accounts are connected by forms only.'),
    refused: error(
      '{{network}} refuses the app of this installation: {{reason}}',
      'Open the page “Networks”, and set its id and secret again.',
    ),
  },
  find: async ({ database }) => {
    const rows = await database()
      .selectFrom('network_app')
      .select(['network', 'refused_at', 'refused_reason'])
      .execute()
    const refused = rows.find(({ refused_at }) => refused_at !== null)
    if (refused)
      return { outcome: 'refused', values: { network: nameOf(refused.network), reason: refused.refused_reason ?? '–' } }
    return rows.length === 0 ? { outcome: 'none' } : { outcome: 'ok', values: { count: rows.length } }
  },
})

const nameOf = (id: string) => networks.find((network) => network.id === id)?.name ?? id

const versions = check({
  name: 'network_versions',
  group: 'providers',
  outcomes: {
    ok: ok('The networks in use serve the versions of their APIs that Meydan calls.'),
    ending: warning(
      '{{network}} serves version {{version}} of its API until {{served_until}}.',
      'Update Meydan before, or set a newer version in NETWORK_VERSIONS.',
    ),
    ended: error(
      '{{network}} has not served version {{version}} of its API since {{served_until}}.',
      'Update Meydan, or set a newer version in NETWORK_VERSIONS.',
    ),
  },
  find: async ({ database, config, now }) => {
    const inUse = await networksWithApp(database())
    const results = networks.flatMap((network) => {
      const apiVersion = providerOf(network)?.apiVersion
      if (!apiVersion || !inUse.has(network.id)) return []
      const { version, served_until, state } = apiVersionInUse({ config, clock: { now } }, apiVersion)
      return [{ state, values: { network: network.name, version, served_until: served_until ?? '–' } }]
    })
    const worst = results.find(({ state }) => state === 'ended') ?? results.find(({ state }) => state === 'ending')
    if (!worst || worst.state === 'served') return { outcome: 'ok' }
    return { outcome: worst.state, values: worst.values }
  },
})

export const networkChecks = [apps, versions]
