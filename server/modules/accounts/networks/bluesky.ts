import { randomInt } from 'node:crypto'
import type { AtpAgent, AtpSessionData } from '@atproto/api'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalid, problem } from '../../../errors.ts'
import { retryAfterSeconds } from '../../../lib/retry-after.ts'
import { ForbiddenAddress, refusedUrl } from '../../../lib/safe-http.ts'
import { Closed } from '../../../lib/schema.ts'
import type { Finding, Network, OpenAccount, Outcome, Publication, RenewalFailure } from './network.ts'

const COLLECTION = 'app.bsky.feed.post'

/** `pds` is the server that holds the account's records, where that is another than the service. */
type Credentials = { service: string; handle: string; app_password: string; session?: AtpSessionData; pds?: string }

class Unauthorized extends Error {
  readonly status = 401
}

/** Loaded at the first use: it takes a good part of a start's time, and many instances never need it. */
const loadLibrary = () => import('@atproto/api')

const sortableDigits = '234567abcdefghijklmnopqrstuvwxyz'

/** A record key of the form TID (atproto specification): microseconds and a random clock id, in sortable base32. */
function newRecordKey(now: Date) {
  let rest = (BigInt(now.getTime()) * 1000n + BigInt(randomInt(1000))) * 1024n + BigInt(randomInt(1024))
  let key = ''
  for (let place = 0; place < 13; place++) {
    key = sortableDigits[Number(rest % 32n)] + key
    rest /= 32n
  }
  return key
}

type Fault = { status: number; error: string; message: string; cause: Error | undefined; retry_after_s?: number }

/** What went wrong, whether the service said so or the connection broke. */
function toFault(thrown: unknown): Fault {
  if (!(thrown instanceof Error)) return { status: 0, error: '', message: String(thrown), cause: undefined }
  const status = 'status' in thrown && typeof thrown.status === 'number' && thrown.status >= 100 ? thrown.status : 0
  const error = 'error' in thrown ? String(thrown.error) : ''
  const headers = 'headers' in thrown ? (thrown.headers as Record<string, string> | undefined) : undefined
  const reset = Number(headers?.['ratelimit-reset'])
  const retry_after_s = retryAfterSeconds(headers?.['retry-after'], new Date()) || (reset && reset - Date.now() / 1000)
  return {
    status,
    error,
    message: thrown.message,
    cause: rootCause(thrown),
    ...(retry_after_s > 0 && { retry_after_s }),
  }
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error
}

/** Errors of a connection that was never made: nothing can have arrived. */
const neverConnected = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

const causeCode = ({ cause }: Fault) => (cause && 'code' in cause ? String(cause.code) : '')

const isUnauthorized = ({ status, error }: Fault) =>
  status === 401 ||
  ['AuthenticationRequired', 'AccountTakedown', 'AccountDeactivated', 'ExpiredToken', 'InvalidToken'].includes(error)

function renewalCode({ status, cause }: Fault): RenewalFailure['code'] {
  if (cause instanceof ForbiddenAddress) return 'url_not_allowed'
  return status >= 400 && status < 500 && ![408, 429].includes(status) ? 'rejected_by_network' : 'network_unavailable'
}

async function logIn(deps: Deps, { service, handle, app_password }: Credentials): Promise<AtpAgent> {
  const { AtpAgent: Agent } = await loadLibrary()
  const agent = new Agent({ service, fetch: deps.safeFetch })
  await agent.login({ identifier: handle, password: app_password })
  return agent
}

/** An agent that goes on with a saved session, without a call: the library renews it when the server says so. */
async function resume(deps: Deps, { service, session, pds }: Credentials): Promise<AtpAgent | undefined> {
  if (!session) return
  const { AtpAgent: Agent } = await loadLibrary()
  const agent = new Agent({ service, fetch: deps.safeFetch })
  agent.sessionManager.session = session
  if (pds) agent.sessionManager.pdsUrl = new URL(pds)
  return agent
}

const withSession = (credentials: Credentials, agent: AtpAgent): Credentials => ({
  ...credentials,
  ...(agent.session && { session: agent.session }),
  ...(agent.pdsUrl && { pds: agent.pdsUrl.href }),
})

/**
 * Does `work` with the account's session. When the server no longer knows it, the app password opens another and the
 * work is done again: a call that was refused for its credentials has done nothing. A renewed session is kept.
 */
async function withAgent<T>(
  deps: Deps,
  { account, saveCredentials, renewalFailed }: OpenAccount,
  work: (agent: AtpAgent) => Promise<T>,
): Promise<T> {
  if (account.credentials === null) throw new Unauthorized('The account has no credentials.')
  const credentials: Credentials = JSON.parse(account.credentials)
  let agent = await resume(deps, credentials)
  try {
    if (agent) {
      try {
        return await work(agent)
      } catch (thrown) {
        if (!isUnauthorized(toFault(thrown))) throw thrown
      }
    }
    try {
      agent = await logIn(deps, credentials)
    } catch (thrown) {
      const fault = toFault(thrown)
      if (!isUnauthorized(fault)) await renewalFailed({ code: renewalCode(fault), message: fault.message })
      throw thrown
    }
    return await work(agent)
  } finally {
    if (agent?.session && agent.session.accessJwt !== credentials.session?.accessJwt)
      await saveCredentials(JSON.stringify(withSession(credentials, agent)))
  }
}

/** The address of a record follows from its account and key; what the server says of it is not needed. */
const found = ({ external_id, handle }: Publication['account'], rkey: string) =>
  ({
    kind: 'published',
    external_id: `at://${external_id}/${COLLECTION}/${rkey}`,
    url: `https://bsky.app/profile/${handle}/post/${rkey}`,
  }) as const

/** Before anything was sent, every fault is a certain no. */
function notSent(fault: Fault): Outcome {
  if (isUnauthorized(fault)) return { kind: 'unauthorized', message: fault.message }
  if (fault.cause instanceof ForbiddenAddress)
    return { kind: 'failed', code: 'url_not_allowed', message: fault.message }
  return {
    kind: 'unavailable',
    message: fault.message,
    ...(fault.retry_after_s && { retry_after_s: fault.retry_after_s }),
  }
}

/** After the post was sent, only a clear answer is one. */
function sent(fault: Fault): Outcome {
  if (isUnauthorized(fault) || fault.status === 429 || neverConnected.includes(causeCode(fault))) return notSent(fault)
  if (fault.status >= 400 && fault.status < 500 && fault.status !== 408)
    return { kind: 'failed', code: 'rejected_by_network', message: fault.message }
  return { kind: 'unconfirmed', message: fault.message }
}

export const bluesky: Network = {
  id: 'bluesky',
  name: 'Bluesky',
  description: 'Posts to a Bluesky account, or to one on any other server of its network.',
  form: [
    {
      key: 'service',
      label: 'Service',
      type: 'url',
      required: false,
      default: 'https://bsky.social',
      help: 'The server that hosts the account',
    },
    { key: 'handle', label: 'Handle', type: 'text', required: true, help: 'Such as name.bsky.social' },
    {
      key: 'app_password',
      label: 'App password',
      type: 'password',
      required: true,
      help: 'Made in Bluesky under Settings, Privacy and security, App passwords',
    },
  ],
  options: Closed({
    langs: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 20 }), {
        maxItems: 3,
        description: 'Languages of the text',
      }),
    ),
  }),
  capabilities: { max_length: 300, edit: false },
  // The record key is ours: a second record under it is refused by the server.
  idempotent: true,
  newAttemptKey: newRecordKey,

  connect: async (deps, { service = 'https://bsky.social', handle = '', app_password = '' }) => {
    const refused = refusedUrl(service, deps.urlRules)
    if (refused)
      throw problem('url_not_allowed', {
        detail: refused,
        errors: [{ pointer: '/service', code: 'url_not_allowed', message: refused }],
      })
    const identifier = handle.trim().replace(/^@/, '')
    if (!/^[A-Za-z0-9][A-Za-z0-9.:-]{1,250}$/.test(identifier))
      throw invalid('/handle', 'This is not a handle such as name.bsky.social.')
    const credentials: Credentials = { service, handle: identifier, app_password }
    try {
      const agent = await logIn(deps, credentials)
      const { session } = agent
      if (!session) throw new Error('The service answered without a session')
      if (!/^did:[a-z]+:[\w.:%-]{1,200}$/.test(session.did) || !/^[\w.-]{1,253}$/.test(session.handle))
        throw new Error('The service answered with a name that cannot be one')
      return {
        external_id: session.did,
        name: session.handle,
        handle: session.handle,
        url: `https://bsky.app/profile/${session.handle}`,
        credentials: JSON.stringify(withSession(credentials, agent)),
      }
    } catch (thrown) {
      throw connectProblem(toFault(thrown), thrown)
    }
  },

  check: async (deps, account) => {
    try {
      const { data } = await withAgent(deps, account, (agent) => agent.com.atproto.server.getSession())
      return data.active === false
        ? { kind: 'unauthorized', message: `The account is not active: ${data.status ?? 'no reason given'}` }
        : { kind: 'ok' }
    } catch (thrown) {
      const fault = toFault(thrown)
      return { kind: isUnauthorized(fault) ? 'unauthorized' : 'unavailable', message: fault.message }
    }
  },

  publish: async (deps, publication) => {
    const { account, attempt_key: rkey } = publication
    let isSent = false
    try {
      await withAgent(deps, publication, async (agent) => {
        const record = await toRecord(agent, publication)
        isSent = true
        await agent.com.atproto.repo.createRecord({
          repo: account.external_id,
          collection: COLLECTION,
          rkey,
          record,
        })
      })
      return found(account, rkey)
    } catch (thrown) {
      const outcome = isSent ? sent(toFault(thrown)) : notSent(toFault(thrown))
      return isSent && outcome.kind === 'failed' ? refused(deps, publication, outcome) : outcome
    }
  },

  find: async (deps, publication): Promise<Finding> => {
    const { account, attempt_key: rkey } = publication
    try {
      await withAgent(deps, publication, (agent) =>
        agent.com.atproto.repo.getRecord({ repo: account.external_id, collection: COLLECTION, rkey }),
      )
      return found(account, rkey)
    } catch (thrown) {
      const fault = toFault(thrown)
      // Servers say it in either way.
      const absent = fault.error === 'RecordNotFound' || /could not locate record/i.test(fault.message)
      return absent ? { kind: 'absent' } : { kind: 'unknown', message: fault.message }
    }
  },
}

/**
 * A server also refuses a record that it has under this key already: one of an earlier attempt that was still on its
 * way when it was looked for. So a refusal counts when the record is not there.
 */
async function refused(deps: Deps, publication: Publication, outcome: Outcome & { kind: 'failed' }): Promise<Outcome> {
  if (outcome.code !== 'rejected_by_network') return outcome
  const finding = await bluesky.find(deps, publication)
  if (finding.kind === 'published') return finding
  return finding.kind === 'absent' ? outcome : { kind: 'unconfirmed', message: outcome.message }
}

/** The record of a post. Mentions are looked up for it, so it takes calls of its own. */
async function toRecord(agent: AtpAgent, { content, options, now }: Publication) {
  const { RichText } = await loadLibrary()
  const text = new RichText({ text: content })
  await text.detectFacets(agent)
  return {
    $type: COLLECTION,
    text: text.text,
    ...(text.facets && { facets: text.facets }),
    ...options,
    createdAt: now.toISOString(),
  }
}

function connectProblem(fault: Fault, cause: unknown) {
  const field = (
    pointer: string,
    code: 'account_refused' | 'account_unreachable' | 'url_not_allowed',
    message: string,
  ) => problem(code, { detail: message, errors: [{ pointer, code, message }], cause })
  if (fault.cause instanceof ForbiddenAddress)
    return field('/service', 'url_not_allowed', 'This address may not be called.')
  if (isUnauthorized(fault))
    return field('/app_password', 'account_refused', 'The service does not accept this handle and app password.')
  if (fault.status === 429) return field('/service', 'account_unreachable', 'The service asks to try again later.')
  if (fault.status >= 400 && fault.status < 500)
    return field('/handle', 'account_refused', `The service refused: ${fault.message.slice(0, 200)}`)
  return field(
    '/service',
    'account_unreachable',
    'The service could not be reached, or does not answer as Bluesky does.',
  )
}
