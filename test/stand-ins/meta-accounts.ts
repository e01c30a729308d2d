import {
  errorReply,
  type Fields,
  GraphError,
  invalidToken,
  limitReply,
  noPermission,
  usageHeader,
} from './facebook-graph.ts'
import type { StoredPost } from './faults.ts'
import { metaFiles } from './meta-files.ts'
import { type MetaRule, requireRule } from './meta-requests.ts'
import { type MetaSignIn, metaSignIn } from './meta-sign-in.ts'
import { type Call, networkServer, processingFailures, type Reply } from './server.ts'

const DAY_MS = 24 * 3600_000
/** Calls in a day of an account that nobody looked at. */
const MIN_CALLS = 48_000

/** A call of an account, after its token was accepted and its rule found. */
export type AccountCall = {
  call: Call
  token: string
  /** Id of the person in the stand-in. */
  person: string
  /** Parts of the path after the version. */
  id: string
  edge: string | undefined
  /** Names in `fields` of the address. */
  fields: string | undefined
  /** Throws if the person did not allow this. */
  needs: (scope: string) => void
}

type Network = {
  /** Version in the paths of the API, such as `/v1.0`. */
  version: string
  signIn: MetaSignIn
  /** Every request below the version that the network takes. */
  requests: MetaRule[]
  /** Throws a `GraphError`. */
  respond: (call: AccountCall) => Fields | Promise<Fields>
  /** The error of an account that may not post. `user`: the text for people. */
  restricted: ConstructorParameters<typeof GraphError>[0]
  isPost: (path: string) => boolean
  isUpload: (path: string) => boolean
  stored: () => StoredPost[]
}

/** Clock, ids and fetched files of a network of Meta at which accounts sign in themselves. */
export function metaState(firstId: number) {
  let moved = 0
  let ids = firstId
  let next: 'ready' | 'never' | 'fails' = 'ready'
  const { fetchFile, fetchFrom } = metaFiles()
  return {
    now: () => Date.now() + moved,
    newId: () => String(++ids),
    fetchFile,
    fetchFrom,
    advance: (ms: number) => {
      moved += ms
    },
    /** Counts what an account does within 24 hours, up to a number. */
    quota: (quota_total: number) => {
      let total = quota_total
      const times = new Map<string, number[]>()
      const recent = (owner: string) => (times.get(owner) ?? []).filter((at) => at > Date.now() + moved - DAY_MS)
      return {
        usageOf: (owner: string) => recent(owner).length,
        config: () => ({ quota_total: total, quota_duration: DAY_MS / 1000 }),
        isUsedUp: (owner: string) => recent(owner).length >= total,
        use: (owner: string) => times.set(owner, [...recent(owner), Date.now() + moved]),
        setTotal: (changed: number) => {
          total = changed
        },
      }
    },
    /** Outcome of the container that is made now. */
    takeOutcome: () => {
      const outcome = next
      next = 'ready'
      return outcome
    },
    setOutcome: (outcome: 'never' | 'fails') => {
      next = outcome
    },
  }
}
type MetaState = ReturnType<typeof metaState>

/** A network of Meta with an app, and the accounts of the people who sign in. */
export async function metaAccounts(state: MetaState, network: Network) {
  const { version } = network
  const signIn = metaSignIn(state.now, network.signIn)
  const calls = state.quota(MIN_CALLS)

  async function respond(call: Call): Promise<Reply> {
    const token = (call.headers.authorization ?? '').replace(/^Bearer /, '')
    const grant = signIn.oauth.grantOf(call)
    if (!grant || !signIn.isLong(token)) throw invalidToken(`Error validating access token ${token}`)
    const { person, scopes } = grant
    const path = call.path.slice(version.length)
    requireRule(network.requests, { ...call, path }, scopes)
    calls.use(person)
    const [, id = '', edge] = path.split('/')
    const needs = (scope: string) => {
      if (!scopes.includes(scope)) throw noPermission(scope)
    }
    const fields = call.query.get('fields') ?? undefined
    const body = await network.respond({ call, token, person, id, edge, fields, needs })
    return { status: 200, body, headers: usageHeader(id, Math.ceil((calls.usageOf(person) * 100) / MIN_CALLS)) }
  }

  async function handle(call: Call): Promise<Reply> {
    const signedIn = signIn.handle(call)
    if (signedIn) return signedIn
    if (!call.path.startsWith(`${version}/`)) return { status: 404, body: Buffer.from('<h1>Not found</h1>') }
    try {
      return await respond(call)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      return errorReply(error.details)
    }
  }

  const server = await networkServer({
    handle,
    errorOf: (status, message = 'An unexpected error has occurred. Please retry your request later.') =>
      errorReply({ code: status >= 500 ? 2 : 100, message, status }),
    isPost: ({ method, path }) => method === 'POST' && network.isPost(path),
    isUpload: ({ method, path }) => method === 'POST' && network.isUpload(path),
    failures: {
      refused: {
        kind: 'reply',
        of: () => errorReply({ ...network.restricted, user: ['Restricted', 'This account is restricted for now.'] }),
      },
      rate_limited: { kind: 'reply', of: ({ path }) => limitReply(path.split('/')[2] ?? '') },
      false_success: { kind: 'reply', of: () => ({ status: 200, body: {} }) },
      ...processingFailures(state.setOutcome),
    },
    endTokens: signIn.oauth.endGrants,
    stored: network.stored,
  })

  return {
    ...server,
    oauth: signIn.oauth,
    renewals: signIn.renewals,
    fetchFrom: state.fetchFrom,
    advance: state.advance,
  }
}
