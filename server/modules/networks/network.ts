import type { Readable } from 'node:stream'
import type { Deps } from '../../lib/deps.ts'
import type { Language, Text } from '../../lib/language.ts'
import type { MediaFacts } from '../media/media-rules.ts'
import type { AccountLimits, Capabilities } from './capabilities.ts'
import type { NetworkMetrics } from './metrics.ts'
import type { ConnectedAccount, OpenAccount, RemoteAvatar } from './network-account.ts'
import type { Preview } from './networks.schema.ts'
import type { OAuthProvider, OAuthServers } from './oauth/provider.ts'
import type { OptionField } from './options.ts'
import type { Pricing } from './pricing.ts'

/** Field of the form that connects an account. */
export type FormField = {
  key: string
  label: Text
  type: 'text' | 'url' | 'password'
  required: boolean
  default?: string
  help?: Text
}

/** Form that connects an account by credentials. */
export type ConnectForm = {
  fields: FormField[]
  /** Checks the credentials with the network. Throws a Problem that names the field. */
  submit: (deps: Deps, input: Record<string, string>) => Promise<ConnectedAccount>
}

/**
 * Way to connect an account. `oauth2`: its owner signs in at the network, or at the one of its `servers` that has the
 * account; `form`: or enters credentials, such as those of an app of its owner.
 */
type Connect =
  | ({ kind: 'form' } & ConnectForm)
  | ({ kind: 'oauth2'; form?: ConnectForm } & ({ provider: OAuthProvider } | { servers: OAuthServers }))

/** A drawing of filled SVG paths. `fill`: a colour such as `#1185fe`; null is the colour of the text around it. */
type Icon = { view_box: string; paths: { d: string; fill: string | null }[] }

/** Appearance of posts on most networks. Each declares what differs. */
export const usualPreview = {
  ...{ avatar: 'circle', fold: null, shortens_links: false, one_video: 'player', link_card: null },
  ...{ actions: [], action_labels: false },
} satisfies Partial<Preview>

/** Time that a network asks to wait before the next call. */
export type Postponement = {
  /** Seconds to wait for at least. */
  retry_after_s?: number
  /** The account has made too many calls, so its other posts wait too. */
  is_limited?: boolean
}

/** Failure of a call, as far as known. Adapters throw it as a `NetworkFault`. */
export type Failure =
  /** Rejected by the network; a retry would be, too. */
  | { kind: 'failed'; code: string; message: string }
  /** The network no longer accepts the credentials. */
  | { kind: 'unauthorized'; message: string }
  /** Certainly without an effect; worth a retry. */
  | ({ kind: 'unavailable'; message: string } & Postponement)
  /**
   * Sent without a response: it may have had its effect. `needs_resolution`: only a person can find out.
   * `is_unauthorized`: the network no longer accepts the credentials, so it cannot be asked.
   */
  | ({ kind: 'unconfirmed'; message: string; needs_resolution?: boolean; is_unauthorized?: boolean } & Postponement)
  /** The network still works on what it received, such as a video. */
  | { kind: 'processing'; message: string; retry_after_s: number }

export class NetworkFault extends Error {
  readonly failure: Failure
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

/** Whether the stored credentials are still accepted. `unavailable`: no clear response. */
export type Check =
  /** `handle`, `limits`, `avatar`: the current ones, if the network reports them. */
  | { kind: 'ok'; handle?: string; limits?: AccountLimits; avatar?: RemoteAvatar | undefined }
  | { kind: 'unauthorized'; message: string }
  | { kind: 'unavailable'; message: string }

/** A file, made to fit the network. */
export type OpenFile = {
  stream: Readable
  /** Length of `stream`. */
  bytes: number
  mime: string
  /** File name with the extension of `mime`. */
  name: string
  width: number | null
  height: number | null
}

export type PartMedia = MediaFacts & {
  id: string
  alt: string
  /** Differs whenever `open` returns something else. */
  version: string
  /** Opens the file. Every call returns the same bytes. */
  open: () => Promise<OpenFile>
  /** Address from which the network can fetch the file as `open` has it for a day, without credentials. */
  url: () => Promise<string>
}

/** The post, or a part of its thread. */
export type Part = { text: string; media: PartMedia[] }

/**
 * A step of publishing: calls that together leave one thing on the network. It is committed before it runs, and its
 * result before the next step. So a worker that continues after a crash knows which steps are done.
 */
export type Step<Intent, Result> = {
  /**
   * Makes what is committed before the first run and passed to it, such as a key or the exact record. It is made again
   * before a run is repeated, since the post can have changed. `former`: the intent of the run without an outcome,
   * by which that run was looked up; its key is kept, in case the run still arrives.
   */
  intent?: (former?: Intent) => Promise<Intent> | Intent
  run: (intent: Intent) => Promise<Result>
  /**
   * Treatment of a run without an outcome. `repeat`: another run leaves nothing that readers would see twice. `ask`:
   * nobody but a person can find out what became of it. Otherwise it is looked up first.
   */
  ifLost: 'repeat' | 'ask' | LookUp<Intent, Result>
  /** Index of the part that readers see once the step is done; the last one if there are several. */
  part?: number
  /** Names of steps and preparations that a retry makes anew after this step was rejected. */
  discards?: readonly string[]
}

type LookUp<Intent, Result> = {
  /** `begunAt`: time of the first run. */
  find: (intent: Intent, begunAt: Date) => Promise<Result | 'absent'>
  /**
   * `repeat`: the network leaves one post however often a run is repeated with the key of the intent. `wait`: the step is
   * repeated if it is absent again after a while. `ask`: a person decides.
   */
  ifAbsent: 'repeat' | 'wait' | 'ask'
}

/**
 * Runs a step unless it is done, and returns its result. Names are unique within a publication and never change. The
 * result is null if a person stated that the step was done, which only steps with `ask` allow.
 */
export type RunStep = {
  <Result, Intent>(name: string, step: Step<Intent, Result> & { ifLost: Certain<Intent, Result> }): Promise<Result>
  <Result, Intent>(name: string, step: Step<Intent, Result>): Promise<Result | null>
}

/**
 * Something that a post needs at its network and readers do not see, such as an uploaded file, a container or a card.
 */
export type Preparation<Made, Ready> = {
  /** All content that `make` uses. What was made from other content is made anew. */
  from: unknown
  make: () => Promise<Made>
  /** Waits until the network can use it. What the network gives up is made anew by a retry. */
  ready?: (made: Made) => Promise<Ready>
  /** Milliseconds for which the network keeps it. Without them it does not end. */
  keptMs?: number
  /** Names of preparations that a retry makes anew after this one was rejected. */
  discards?: readonly string[]
}

/**
 * Prepares something in steps, unless it is prepared from the same content. Returns what `ready` returns, or else
 * `make`. Called by the intent of the step that uses it, so that nothing is prepared for one that is done.
 */
export type Prepare = {
  <Made, Ready>(
    name: string,
    preparation: Preparation<Made, Ready> & Required<Pick<Preparation<Made, Ready>, 'ready'>>,
  ): Promise<Ready>
  <Made>(name: string, preparation: Omit<Preparation<Made, never>, 'ready'>): Promise<Made>
}

type Certain<Intent, Result> = 'repeat' | (LookUp<Intent, Result> & { ifAbsent: 'repeat' | 'wait' })

export type Publication = OpenAccount & {
  /** Same for every attempt of this post on this account: a UUID. */
  key: string
  /** The post, then the other parts of its thread. */
  parts: [Part, ...Part[]]
  first_comment: string | null
  options: Record<string, unknown>
  now: Date
  step: RunStep
  prepare: Prepare
}

/** Ids and addresses of more than 500 bytes are not stored. */
export type Published = { external_id: string; url: string | null }

/** Published post that is to be changed or deleted, with the results of its steps by name. */
export type PublishedPost = OpenAccount & Published & { results: Record<string, unknown> }

/** Somebody whom a post can mention. `text`: what is written into the post. */
export type Mentionable = { name: string; handle: string; text: string }

/** Search for people and pages to mention. */
export type MentionSearch = {
  /**
   * `beginning`: finds by the beginning of a name or handle. `handle`: finds one account by its whole handle, and calls
   * are few or billed, so it is asked only when a person wants it.
   */
  by: 'beginning' | 'handle'
  /** Throws a `NetworkFault`. `query` has no `@` before it. */
  find: (
    deps: Deps,
    account: OpenAccount,
    search: { query: string; max: number; timeoutMs: number },
  ) => Promise<Mentionable[]>
}

/** Network to publish on. It declares what it can do, so that no other code depends on its name. */
export type Network = {
  id: string
  name: string
  /** The name in each language, where it is not the same in all. */
  names?: Text
  description: Text
  icon: Icon
  connect: Connect
  /** Settings of a post for this network. */
  options: OptionField[]
  capabilities: Capabilities
  /** Prices of its API. Absent if it charges nothing. */
  pricing?: Pricing
  preview: Preview
  /** Checks whether the credentials work for posts, in the way that `publish` uses them. */
  check: (deps: Deps, account: OpenAccount) => Promise<Check>
  /** Called in the two minutes before a post is due: renews what has expired, so that `publish` need not. */
  renewSession?: (deps: Deps, account: OpenAccount) => Promise<void>
  /** Intent of the step `post 0` of a version of Meydan before there were steps, which committed this key only. */
  intentOfKey?: (attempt_key: string) => unknown
  /** Publishes in steps. Throws a `NetworkFault`. */
  publish: (deps: Deps, publication: Publication) => Promise<Published>
  /** Changes the text of a published post. Throws a `NetworkFault`. Present if `capabilities.edit` is. */
  edit?: (deps: Deps, post: PublishedPost, text: string) => Promise<void>
  /** Deletes a published post with its thread; what is absent counts as deleted. Present if `capabilities.delete` is. */
  remove?: (deps: Deps, post: PublishedPost) => Promise<void>
  /** Search for whom a post can mention. Absent: the network cannot be asked. */
  mentions?: MentionSearch
  /** Takes mentions with ids (`shared/text/mentions.ts`). Other networks get the names. */
  takesMentionIds?: true
  /** Numbers that the network reports of posts and accounts. Absent: none. */
  metrics?: NetworkMetrics
}

/** The name of a network in each language. */
export const networkNames = ({ name, names }: Pick<Network, 'name' | 'names'>): Text => names ?? { en: name, tr: name }
export const networkName = (network: Pick<Network, 'name' | 'names'>, language: Language) =>
  networkNames(network)[language]
