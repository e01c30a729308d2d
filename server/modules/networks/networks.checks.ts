import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { networks } from './registry.ts'
import { endingVersions } from './versions/version-warnings.ts'

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
    const ending = await endingVersions(database(), { config, clock: { now } })
    const worst = ending.find(({ state }) => state === 'ended') ?? ending[0]
    if (!worst) return { outcome: 'ok' }
    const { state, network, version, served_until } = worst
    return { outcome: state, values: { network, version, served_until } }
  },
})

export const networkChecks = [apps, versions]
