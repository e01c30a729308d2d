import { createHash, type JsonWebKey, randomBytes } from 'node:crypto'
import { proofs, verified } from './bluesky-proofs.ts'
import type { Call, Reply } from './server.ts'

const secret = (prefix: string) => `${prefix}-${randomBytes(16).toString('base64url')}`
const refusal = (error: string, error_description: string, status = 400): Reply => ({
  status,
  body: { error, error_description },
})

type Metadata = {
  client_id: string
  redirect_uris: string[]
  grant_types: string[]
  scope: string
  token_endpoint_auth_method: string
  dpop_bound_access_tokens: boolean
  jwks?: { keys: (JsonWebKey & { kid: string })[] }
}

/** `kid`: the key with which the client proved itself; a grant counts for that key only. */
type Request = {
  client_id: string
  redirect_uri: string
  state: string
  scope: string
  challenge: string
  hint: string
}
type Bound = { client_id: string; jkt: string; kid: string | undefined }
type Grant = Bound & { did: string; scope: string; ended: boolean }
type Code = { grant: Grant; redirect_uri: string; challenge: string; used: boolean }

/** The description that a loopback client has in its id. */
function loopbackMetadata(client_id: string): Metadata {
  const query = new URL(client_id).searchParams
  return {
    client_id,
    redirect_uris: query.getAll('redirect_uri'),
    grant_types: ['authorization_code', 'refresh_token'],
    scope: query.get('scope') ?? 'atproto',
    token_endpoint_auth_method: 'none',
    dpop_bound_access_tokens: true,
  }
}

export type Options = {
  origin: () => string
  /** Reads the description of a client at its id, as over the internet. */
  fetchClient: (client_id: string) => Promise<{ status: number; type: string; body: unknown }>
  /** The id of an account by its handle or its id. */
  didOf: (name: string) => string | undefined
}

/**
 * The authorization server of the AT protocol, by its specification (atproto.com/specs/oauth): pushed requests only,
 * proofs with nonces, clients known by their description, refresh tokens that count once.
 */
export function blueskySignIn({ origin, fetchClient, didOf }: Options) {
  const proof = proofs(origin)
  const requests = new Map<string, { request: Request; bound: Bound }>()
  const codes = new Map<string, Code>()
  const access = new Map<string, { grant: Grant; expires: number }>()
  const refresh = new Map<string, { grant: Grant; used: boolean }>()
  const assertions = new Set<string>()
  const rules = { access_s: 1800, issuer: undefined as string | undefined, subject: undefined as string | undefined }
  let next: { did?: string; denied?: boolean; scopes?: string } = {}
  let renewals = 0
  let token_calls = 0

  async function metadataOf(client_id: string): Promise<Metadata | undefined> {
    if (client_id.startsWith('http://localhost?')) return loopbackMetadata(client_id)
    const url = new URL(client_id)
    if (url.protocol !== 'https:' || url.port !== '' || url.pathname === '/') return
    const { status, type, body } = await fetchClient(client_id)
    if (status !== 200 || !/^application\/json\b/.test(type)) return
    const metadata = body as Metadata
    const isWhole =
      metadata.client_id === client_id &&
      metadata.dpop_bound_access_tokens === true &&
      metadata.scope.split(' ').includes('atproto') &&
      metadata.redirect_uris.every((uri) => new URL(uri).origin === url.origin)
    return isWhole ? metadata : undefined
  }

  /** The client that proved to be who it says; the reply if it did not. */
  async function clientOf({ fields }: Call): Promise<{ metadata: Metadata; kid: string | undefined } | Reply> {
    const client_id = String(fields.client_id)
    const metadata = await metadataOf(client_id)
    if (!metadata) return refusal('invalid_client_metadata', 'Unable to obtain client metadata')
    if (metadata.token_endpoint_auth_method === 'none') return { metadata, kid: undefined }
    const jwt = String(fields.client_assertion)
    const assertion = verified(jwt, ({ kid }) => metadata.jwks?.keys.find((key) => key.kid === kid))
    const { iss, sub, aud, jti } = assertion?.claims ?? {}
    const isOfClient = iss === client_id && sub === client_id && aud === origin() && typeof jti === 'string'
    if (!assertion || !isOfClient || assertions.has(String(jti)))
      return refusal('invalid_client', 'Validation of "client_assertion" failed', 401)
    assertions.add(String(jti))
    return { metadata, kid: String(assertion.header.kid) }
  }

  /** Checks proof and client of a request at the authorization server. */
  async function checked(call: Call): Promise<{ metadata: Metadata; bound: Bound } | Reply> {
    if (call.method !== 'POST') return refusal('invalid_request', 'Method not allowed', 405)
    const checked = proof.check(call)
    if ('error' in checked) return refusal(checked.error, 'Authorization server requires nonce in DPoP proof')
    const client = await clientOf(call)
    if ('status' in client) return client
    const { metadata, kid } = client
    return { metadata, bound: { client_id: metadata.client_id, jkt: checked.jkt, kid } }
  }

  async function push(call: Call): Promise<Reply> {
    const client = await checked(call)
    if ('status' in client) return client
    const { fields } = call
    const { metadata, bound } = client
    const [redirect_uri, scope, challenge] = [fields.redirect_uri, fields.scope, fields.code_challenge].map(String)
    if (!redirect_uri || !metadata.redirect_uris.includes(redirect_uri))
      return refusal('invalid_request', 'Invalid redirect_uri')
    const allowed = metadata.scope.split(' ')
    if (!scope?.split(' ').every((each) => allowed.includes(each)) || !scope.split(' ').includes('atproto'))
      return refusal('invalid_scope', 'The "atproto" scope is required')
    if (fields.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(challenge ?? ''))
      return refusal('invalid_request', 'Code challenge is required')
    if (fields.response_type !== 'code' || typeof fields.state !== 'string')
      return refusal('invalid_request', 'A "state" is required')
    const request_uri = `urn:ietf:params:oauth:request_uri:${secret('req')}`
    const request = { ...{ client_id: bound.client_id, redirect_uri, scope }, state: fields.state }
    const hint = fields.login_hint === undefined ? '' : String(fields.login_hint)
    requests.set(request_uri, { request: { ...request, challenge: challenge ?? '', hint }, bound })
    return { status: 201, body: { request_uri, expires_in: 299 } }
  }

  /** Sends the browser back, as after a click of the person. */
  function authorize({ query }: Call): Reply {
    const pushed = requests.get(query.get('request_uri') ?? '')
    requests.delete(query.get('request_uri') ?? '')
    if (!pushed || query.get('client_id') !== pushed.request.client_id || query.size !== 2)
      return refusal('invalid_request', 'Unknown request_uri')
    const { request, bound } = pushed
    const back = new URL(request.redirect_uri)
    const fields = { iss: rules.issuer ?? origin(), state: request.state }
    for (const [name, value] of Object.entries(fields)) if (value !== '') back.searchParams.set(name, value)
    const did = next.did ?? didOf(request.hint)
    if (next.denied || !did) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The user rejected the request')
    } else {
      const code = secret('cod')
      const grant = { ...bound, did, scope: next.scopes ?? request.scope, ended: false }
      codes.set(code, { grant, redirect_uri: request.redirect_uri, challenge: request.challenge, used: false })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href } }
  }

  function issue(grant: Grant): Reply {
    const [access_token, refresh_token] = [secret('acc'), secret('ref')]
    access.set(access_token, { grant, expires: Date.now() + rules.access_s * 1000 })
    refresh.set(refresh_token, { grant, used: false })
    const { scope } = grant
    const sub = rules.subject ?? grant.did
    return {
      status: 200,
      body: { access_token, token_type: 'DPoP', expires_in: rules.access_s, refresh_token, scope, sub },
    }
  }

  const isBoundTo = (grant: Grant, { client_id, jkt, kid }: Bound) =>
    grant.client_id === client_id && grant.jkt === jkt && grant.kid === kid

  function exchange({ fields }: Call, bound: Bound): Reply {
    const code = codes.get(String(fields.code))
    if (!code || !isBoundTo(code.grant, bound)) return refusal('invalid_grant', 'Invalid code')
    if (code.used) {
      code.grant.ended = true
      return refusal('invalid_grant', 'Code replayed')
    }
    code.used = true
    const proven = createHash('sha256').update(String(fields.code_verifier)).digest('base64url')
    if (proven !== code.challenge) return refusal('invalid_grant', 'Invalid code_verifier')
    if (fields.redirect_uri !== code.redirect_uri) return refusal('invalid_grant', 'Invalid redirect_uri')
    return issue(code.grant)
  }

  function renew({ fields }: Call, bound: Bound): Reply {
    const known = refresh.get(String(fields.refresh_token))
    if (!known || known.grant.ended) return refusal('invalid_grant', 'Invalid refresh token')
    if (known.used || !isBoundTo(known.grant, bound)) {
      known.grant.ended = true
      return refusal('invalid_grant', 'Refresh token replayed')
    }
    known.used = true
    renewals++
    return issue(known.grant)
  }

  async function token(call: Call): Promise<Reply> {
    const client = await checked(call)
    if ('status' in client) return client
    // Nonces change every few minutes, here at every other request.
    if (token_calls++ % 2 === 0) proof.rotate()
    if (call.fields.grant_type === 'authorization_code') return exchange(call, client.bound)
    if (call.fields.grant_type === 'refresh_token') return renew(call, client.bound)
    return refusal('unsupported_grant_type', 'Unsupported grant type')
  }

  async function revoke(call: Call): Promise<Reply> {
    const client = await checked(call)
    if ('status' in client) return client
    const given = String(call.fields.token)
    const grant = access.get(given)?.grant ?? refresh.get(given)?.grant
    if (grant && isBoundTo(grant, client.bound)) grant.ended = true
    return { status: 200, body: {} }
  }

  const metadata = () => ({
    issuer: origin(),
    scopes_supported: ['atproto', 'transition:generic', 'transition:email'],
    subject_types_supported: ['public'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
    authorization_endpoint: `${origin()}/oauth/authorize`,
    token_endpoint: `${origin()}/oauth/token`,
    revocation_endpoint: `${origin()}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${origin()}/oauth/par`,
    require_pushed_authorization_requests: true,
    dpop_signing_alg_values_supported: ['ES256'],
    client_id_metadata_document_supported: true,
  })

  const paths: Record<string, (call: Call) => Reply | Promise<Reply>> = {
    '/.well-known/oauth-protected-resource': () => ({
      status: 200,
      body: { resource: origin(), authorization_servers: [origin()], bearer_methods_supported: ['header'] },
    }),
    '/.well-known/oauth-authorization-server': () => ({ status: 200, body: metadata() }),
    '/oauth/par': push,
    '/oauth/authorize': authorize,
    '/oauth/token': token,
    '/oauth/revoke': revoke,
  }

  return {
    rules,
    /** The id that the handle of the next question has. */
    named: undefined as string | undefined,
    renewals: () => renewals,
    grants: () => [...new Set([...codes.values()].map(({ grant }) => grant))],
    /** Result of the following sign-ins. `did`: the account that signs in, also if another was named. */
    signInAs: (how: typeof next) => {
      next = how
    },
    endAccess: () => access.clear(),
    endGrants: () => {
      for (const { grant } of codes.values()) grant.ended = true
      access.clear()
    },
    forgetNonces: proof.forgetNonces,
    /** The account of a call with a bound token, or the refusal. */
    accountOf: (call: Call): { did: string } | Reply => {
      const given = (call.headers.authorization ?? '').replace(/^DPoP /, '')
      const checked = proof.check(call, given)
      const unauthorized = (error: string): Reply =>
        proof.withNonce({
          status: 401,
          body: { error, message: error },
          headers: { 'www-authenticate': `DPoP error="${error}"` },
        })
      if ('error' in checked) return unauthorized(checked.error)
      const known = access.get(given)
      const isLive = known && !known.grant.ended && known.expires > Date.now() && known.grant.jkt === checked.jkt
      return isLive ? { did: known.grant.did } : unauthorized('invalid_token')
    },
    /** The reply to a call of the sign-in; undefined for other calls. */
    handle: async (call: Call): Promise<Reply | undefined> => {
      const reply = await paths[call.path]?.(call)
      return reply && proof.withNonce(reply)
    },
  }
}
