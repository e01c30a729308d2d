import { randomInt } from 'node:crypto'
import type { AtpAgent, AtpSessionData } from '@atproto/api'
import { Type } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { retryAfterSeconds } from '../../../lib/http/retry-after.ts'
import { Closed } from '../../../lib/http/schema.ts'
import { ForbiddenAddress, refusedUrl } from '../../../lib/outbound/safe-http.ts'
import type { Finding, Network, OpenAccount, Outcome, Publication, RenewalFailure } from './network.ts'

const COLLECTION = 'app.bsky.feed.post'

/** `pds`: the server with the account's records, if it is not the service. */
type Credentials = { service: string; handle: string; app_password: string; session?: AtpSessionData; pds?: string }

class Unauthorized extends Error {
  readonly status = 401
}

/** Loaded on first use: it slows down the start, and many instances never need it. */
const loadLibrary = () => import('@atproto/api')

const sortableDigits = '234567abcdefghijklmnopqrstuvwxyz'

/** Makes a record key in TID form (atproto specification): microseconds and a random clock id, in sortable base32. */
function newRecordKey(now: Date) {
  let rest = (BigInt(now.getTime()) * 1000n + BigInt(randomInt(1000))) * 1024n + BigInt(randomInt(1024))
  let key = ''
  for (let digit = 0; digit < 13; digit++) {
    key = sortableDigits[Number(rest % 32n)] + key
    rest /= 32n
  }
  return key
}

type Fault = { status: number; error: string; message: string; cause: Error | undefined; retry_after_s?: number }

/** Describes an error of the service or of the connection. */
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

/** Errors before a connection exists: nothing can have arrived. */
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

/** Makes an agent with the saved session, without a call. The library renews it when the server asks for it. */
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
 * Runs `work` with the account's session. If the server rejects it, signs in with the app password and runs `work`
 * again: a call with rejected credentials has done nothing. Renewed sessions are stored.
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

/** The address follows from account and key, so the server's response is not needed. */
const found = ({ external_id, handle }: Publication['account'], rkey: string) =>
  ({
    kind: 'published',
    external_id: `at://${external_id}/${COLLECTION}/${rkey}`,
    url: `https://bsky.app/profile/${handle}/post/${rkey}`,
  }) as const

/** Nothing was sent, so nothing was published. */
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

/** After sending, only a definite response counts. */
function sent(fault: Fault): Outcome {
  if (isUnauthorized(fault) || fault.status === 429 || neverConnected.includes(causeCode(fault))) return notSent(fault)
  if (fault.status >= 400 && fault.status < 500 && fault.status !== 408)
    return { kind: 'failed', code: 'rejected_by_network', message: fault.message }
  return { kind: 'unconfirmed', message: fault.message }
}

export const bluesky: Network = {
  id: 'bluesky',
  name: 'Bluesky',
  description: 'Publish to a Bluesky account, including accounts on other servers of its network.',
  form: [
    {
      key: 'service',
      label: 'Service',
      type: 'url',
      required: false,
      default: 'https://bsky.social',
      help: 'URL of the server that hosts the account',
    },
    { key: 'handle', label: 'Handle', type: 'text', required: true, help: 'For example name.bsky.social' },
    {
      key: 'app_password',
      label: 'App password',
      type: 'password',
      required: true,
      help: 'Create one in Bluesky under Settings, Privacy and security, App passwords',
    },
  ],
  options: Closed({
    langs: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 20 }), {
        maxItems: 3,
        description: 'Languages of the text.',
      }),
    ),
  }),
  capabilities: { max_length: 300, edit: false },
  // We choose the record key, so the server refuses a second record.
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
      if (!session) throw new Error('The service returned no session')
      if (!/^did:[a-z]+:[\w.:%-]{1,200}$/.test(session.did) || !/^[\w.-]{1,253}$/.test(session.handle))
        throw new Error('The service returned an invalid id or handle')
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
      // Servers use either form.
      const absent = fault.error === 'RecordNotFound' || /could not locate record/i.test(fault.message)
      return absent ? { kind: 'absent' } : { kind: 'unknown', message: fault.message }
    }
  },
}

/**
 * Checks a refusal. A server also refuses a key that it has already, from an earlier attempt that arrived after the
 * lookup. So it counts only if the record is absent.
 */
async function refused(deps: Deps, publication: Publication, outcome: Outcome & { kind: 'failed' }): Promise<Outcome> {
  if (outcome.code !== 'rejected_by_network') return outcome
  const finding = await bluesky.find(deps, publication)
  if (finding.kind === 'published') return finding
  return finding.kind === 'absent' ? outcome : { kind: 'unconfirmed', message: outcome.message }
}

/** Makes the record of a post. Resolving its mentions takes calls. */
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
    return field('/service', 'url_not_allowed', 'This address is not allowed.')
  if (isUnauthorized(fault))
    return field('/app_password', 'account_refused', 'The service rejected this handle and app password.')
  if (fault.status === 429) return field('/service', 'account_unreachable', 'The service asks to retry later.')
  if (fault.status >= 400 && fault.status < 500)
    return field('/handle', 'account_refused', `The service rejected the request: ${fault.message.slice(0, 200)}`)
  return field('/service', 'account_unreachable', 'The service could not be reached, or is not a Bluesky server.')
}
