import type { TSchema } from 'typebox'
import type { Deps } from '../../lib/deps.ts'
import type { Language } from '../../lib/language.ts'
import type { MediaRules } from '../media/media-rules.ts'

/** A text that users read, in every language of Meydan. */
type Text = Record<Language, string>

/** Field of the form that connects an account. */
export type FormField = {
  key: string
  label: Text
  type: 'text' | 'url' | 'password'
  required: boolean
  default?: string
  help?: Text
}

/** Way to connect an account. `oauth2`: its owner signs in at the network, which no network here does yet. */
type Connect =
  | {
      kind: 'form'
      fields: FormField[]
      /** Checks the credentials with the network. Throws a Problem that names the field. */
      submit: (deps: Deps, input: Record<string, string>) => Promise<ConnectedAccount>
    }
  | { kind: 'oauth2' }

/** A drawing of filled SVG paths. `fill`: a colour such as `#1185fe`; null is the colour of the text around it. */
type Icon = { view_box: string; paths: { d: string; fill: string | null }[] }

/** Parts of a preview that imitate the network. */
type Preview = {
  /** Stands before the handle of an account, such as `@`. Empty if none does. */
  handle_prefix: string
  /** Buttons below a post, in their order. */
  actions: ('reply' | 'repost' | 'like' | 'more')[]
}

/** What a network said about the next call. */
export type Postponement = {
  /** Seconds to wait for at least. */
  retry_after_s?: number
  /** The account has made too many calls, so its other posts wait too. */
  is_limited?: boolean
}

/** Outcome of publishing, as far as known. */
export type Outcome =
  /** Ids and addresses of more than 500 bytes are not stored. */
  | { kind: 'published'; external_id: string; url: string | null }
  /** Rejected by the network; a retry would be, too. */
  | { kind: 'failed'; code: string; message: string }
  /** The network no longer accepts the credentials. */
  | { kind: 'unauthorized'; message: string }
  /** Certainly not published; worth a retry. */
  | ({ kind: 'unavailable'; message: string } & Postponement)
  /** Sent without a response: it may have been published. */
  | ({ kind: 'unconfirmed'; message: string } & Postponement)

/** Result of looking up an earlier attempt. `absent`: certainly not there. `unknown`: no clear response. */
export type Finding =
  | Extract<Outcome, { kind: 'published' }>
  | { kind: 'absent' }
  | ({ kind: 'unknown'; message: string } & Postponement)

/** Whether the stored credentials are still accepted. `unavailable`: no clear response. */
export type Check =
  /** `handle`: the current one, if the network reports it. */
  { kind: 'ok'; handle?: string } | { kind: 'unauthorized'; message: string } | { kind: 'unavailable'; message: string }

export type ConnectedAccount = {
  external_id: string
  name: string
  handle: string
  url: string | null
  credentials: string | null
}

/** Reason why a session could not be renewed, other than rejected credentials. */
export type RenewalFailure = {
  code: 'network_unavailable' | 'rejected_by_network' | 'url_not_allowed'
  message: string
}

/** Account with its opened credentials. */
export type OpenAccount = {
  account: { id: string; workspace_id: string; external_id: string; handle: string; credentials: string | null }
  /** Stores what the network renewed, such as a session. */
  saveCredentials: (credentials: string) => Promise<void>
  /** Reports that this renewal failed. */
  renewalFailed: (failure: RenewalFailure) => Promise<void>
}

export type Publication = OpenAccount & {
  content: string
  options: Record<string, unknown>
  /** From `newAttemptKey`. The same for every attempt of one post on one account. */
  attempt_key: string
  now: Date
}

/** Network to publish on. It declares what it can do, so that no other code depends on its name. */
export type Network = {
  id: string
  name: string
  description: Text
  icon: Icon
  connect: Connect
  /** Options of a post for this network: a closed schema. */
  options: TSchema
  capabilities: {
    /** Maximum length of a text, in the unit of `counting`. */
    max_length: number
    /** Maximum length of a text in bytes of UTF-8; null if only `max_length` counts. */
    max_bytes: number | null
    counting: Counting
    /** Files that a part of a post can have; null if the network takes none. */
    media: MediaRules | null
    /** Whether a published text can be edited or deleted there. */
    edit: boolean
  }
  preview: Preview
  /**
   * Whether publishing twice with one attempt_key leaves one post. Only then is a post that was looked up and absent
   * sent again.
   */
  idempotent: boolean
  newAttemptKey: (now: Date) => string
  /** Checks whether the credentials work for posts, in the way that `publish` uses them. */
  check: (deps: Deps, account: OpenAccount) => Promise<Check>
  /** Called in the two minutes before a post is due: renews what has expired, so that `publish` need not. */
  prepare?: (deps: Deps, account: OpenAccount) => Promise<void>
  publish: (deps: Deps, publication: Publication) => Promise<Outcome>
  find: (deps: Deps, publication: Publication) => Promise<Finding>
}

const segmenter = new Intl.Segmenter()

const counters = {
  /** As readers count: a family emoji is one. */
  graphemes: (text: string) => {
    let count = 0
    for (const _ of segmenter.segment(text)) count++
    return count
  },
}

/** Unit in which a network counts the length of a text. */
export type Counting = keyof typeof counters

export const countCharacters = (text: string, counting: Counting) => counters[counting](text)
