import type { Static } from 'typebox'
import type { Deps } from '../../lib/deps.ts'
import type { Language } from '../../lib/language.ts'
import type { NetworkPrices } from '../options/network-prices.ts'
import { networksWithApp, type OwnerKind } from './apps/apps.ts'
import { serversOf } from './apps/server-apps.ts'
import { type Network, networkName } from './network.ts'
import type { NetworkInfo, OptionInfo } from './networks.schema.ts'
import type { OptionField } from './options.ts'
import { pricingOf, readNetworkPrices } from './pricing.ts'
import { formOf, networks } from './registry.ts'

export async function listNetworks(deps: Deps, { workspace_id }: { workspace_id: string }, language: Language) {
  const [withApp, prices] = [await networksWithApp(deps.db, { workspace_id }), await readNetworkPrices(deps)]
  return networks.map((network) => toInfo(deps, network, { app: withApp.get(network.id), prices, language }))
}

/** `app`: the owner of the app of a network with one server. */
type Context = { app: OwnerKind | undefined; prices: NetworkPrices; language: Language }

const toInfo = (deps: Deps, network: Network, { app, prices, language }: Context): Static<typeof NetworkInfo> => {
  const { id, description, icon, connect, options, capabilities, metrics, mentions, preview } = network
  const servers = serversOf(network)
  const available = connect.kind === 'form' || (servers ? servers.unavailable?.(deps) === undefined : app !== undefined)
  return {
    id,
    name: networkName(network, language),
    description: description[language],
    icon,
    connect: {
      kind: connect.kind,
      available,
      app: connect.kind === 'oauth2' && available ? (app ?? 'instance') : null,
      instance: servers ? { label: servers.field.label[language], help: servers.field.help[language] } : null,
    },
    form: (formOf(network)?.fields ?? []).map(({ label, help, ...field }) => ({
      ...field,
      label: label[language],
      ...(help && { help: help[language] }),
    })),
    options: options.map((field) => toOptionInfo(field, language)),
    capabilities,
    pricing: pricingOf(network, prices),
    metrics: metrics ? { posts: [...metrics.posts], account: [...metrics.account] } : null,
    mention_search: mentions?.by ?? null,
    preview,
  }
}

const toOptionInfo = (field: OptionField, language: Language): Static<typeof OptionInfo> => ({
  key: field.key,
  label: field.label[language],
  ...(field.help && { help: field.help[language] }),
  required: field.required ?? false,
  ...(field.shown_as && { shown_as: field.shown_as }),
  type: field.type,
  ...('max_length' in field && { max_length: field.max_length }),
  ...('is_counted' in field && { is_counted: field.is_counted }),
  ...('max_items' in field && { max_items: field.max_items }),
  ...('pattern' in field && { pattern: field.pattern }),
  ...('default' in field && { default: field.default }),
  ...('choices' in field && {
    choices: field.choices.map(({ label, ...choice }) => ({ ...choice, label: label[language] })),
  }),
})
