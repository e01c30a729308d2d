import type { TSchema } from 'typebox'
import type { Deps } from '../../../deps.ts'

/** One field of the form that connects an account. */
export type FormField = {
  key: string
  label: string
  type: 'text' | 'url' | 'password'
  required: boolean
  default?: string
  help?: string
}

/** What publishing came to, as far as can be known. */
export type Outcome =
  /** An id or address of more than 500 bytes is not kept. */
  | { kind: 'published'; external_id: string; url: string | null }
  /** The network said no, and will say so again. */
  | { kind: 'failed'; code: string; message: string }
  /** The network no longer accepts the credentials. */
  | { kind: 'unauthorized'; message: string }
  /** Certainly not published; worth another try. */
  | { kind: 'unavailable'; message: string; retry_after_s?: number }
  /** Sent, but the answer was lost: it may have been published. */
  | { kind: 'unconfirmed'; message: string }

/** What a search for an earlier attempt came to. `absent` is a certain no, `unknown` is no answer. */
export type Finding =
  | Extract<Outcome, { kind: 'published' }>
  | { kind: 'absent' }
  | { kind: 'unknown'; message: string }

/** Whether the stored credentials are still accepted. `unavailable`: no answer, or none that tells. */
export type Check =
  | { kind: 'ok' }
  | { kind: 'unauthorized'; message: string }
  | { kind: 'unavailable'; message: string }

export type ConnectedAccount = {
  external_id: string
  name: string
  handle: string
  url: string | null
  credentials: string | null
}

/** Why a session could not be renewed, other than that the credentials are no longer accepted. */
export type RenewalFailure = {
  code: 'network_unavailable' | 'rejected_by_network' | 'url_not_allowed'
  message: string
}

/** An account with its opened credentials. */
export type OpenAccount = {
  account: { id: string; workspace_id: string; external_id: string; handle: string; credentials: string | null }
  /** Keeps what the network renewed, such as a session. */
  saveCredentials: (credentials: string) => Promise<void>
  /** Tells that nothing could be renewed this time. */
  renewalFailed: (failure: RenewalFailure) => Promise<void>
}

export type Publication = OpenAccount & {
  content: string
  options: Record<string, unknown>
  /** From `newAttemptKey`; the same for every attempt of one post on one account. */
  attempt_key: string
  now: Date
}

/** A place that posts go to. What it can do is declared, so that nothing else has to know it by name. */
export type Network = {
  id: string
  name: string
  description: string
  form: FormField[]
  /** Settings that a post may carry for this network: a closed schema. */
  options: TSchema
  capabilities: {
    /** Longest text, in characters as readers count them (grapheme clusters). */
    max_length: number
    /** Whether a text can be edited or deleted there after it was published. */
    edit: boolean
  }
  /**
   * Whether publishing twice with one attempt_key leaves one post. Only then is a post sent again after it was looked
   * up and found absent.
   */
  idempotent: boolean
  newAttemptKey: (now: Date) => string
  /** Checks the credentials with the network. Throws a Problem that names the field. */
  connect: (deps: Deps, input: Record<string, string>) => Promise<ConnectedAccount>
  /** Asks whether the credentials would let a post in, in the way that `publish` uses them. */
  check: (deps: Deps, account: OpenAccount) => Promise<Check>
  publish: (deps: Deps, publication: Publication) => Promise<Outcome>
  find: (deps: Deps, publication: Publication) => Promise<Finding>
}

const segmenter = new Intl.Segmenter()

/** Counts characters as readers do: a family emoji is one. */
export function countCharacters(text: string) {
  let count = 0
  for (const _ of segmenter.segment(text)) count++
  return count
}
