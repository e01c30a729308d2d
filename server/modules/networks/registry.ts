import { withMentionNames } from '../../../shared/text/mentions.ts'
import { bluesky } from './bluesky/index.ts'
import type { AccountLimits, Capabilities } from './capabilities.ts'
import { discord } from './discord/index.ts'
import { facebook } from './facebook/index.ts'
import { http } from './http/index.ts'
import { instagramFacebook } from './instagram/facebook-login.ts'
import { instagram } from './instagram/index.ts'
import { linkedin, linkedinPage } from './linkedin/index.ts'
import { mastodon } from './mastodon/index.ts'
import type { ConnectForm, Network } from './network.ts'
import { limitsOfOptions } from './options.ts'
import { playground } from './playground/index.ts'
import { rss } from './rss/index.ts'
import { slack } from './slack/index.ts'
import { telegram } from './telegram/index.ts'
import { threads } from './threads/index.ts'
import { wordpress } from './wordpress/index.ts'
import { x } from './x/index.ts'

/** All networks of this version, in the order in which users see them. */
export const networks: readonly Network[] = [
  playground,
  linkedin,
  linkedinPage,
  x,
  bluesky,
  mastodon,
  facebook,
  instagram,
  instagramFacebook,
  threads,
  telegram,
  discord,
  slack,
  wordpress,
  http,
  rss,
]

/** The form that connects an account. Undefined if its owner can only sign in at the network. */
export const formOf = ({ connect }: Network): ConnectForm | undefined =>
  connect.kind === 'form' ? connect : connect.form

export const findNetwork = (id: string) => networks.find((network) => network.id === id)

/** Returns the network of a stored account. Throws if this version does not know it. */
export function networkOf(account: { network: string }): Network {
  const network = findNetwork(account.network)
  if (!network) throw new Error(`This version does not support the network ${account.network}`)
  return network
}

type Destination = { network: string; limits: AccountLimits; options?: Record<string, unknown> }

/**
 * The posts that an account takes: those of its network, but for what its own server does differently, and for what
 * the `options` of a post change.
 */
export function capabilitiesOf({ network: id, limits, options = {} }: Destination): Capabilities {
  const network = networkOf({ network: id })
  return { ...network.capabilities, ...limits, ...limitsOfOptions(network.options, options) }
}

/** A text as a network gets it: with the names of mentions, unless it takes their ids. */
export const textFor = ({ takesMentionIds }: Network, text: string) => (takesMentionIds ? text : withMentionNames(text))
