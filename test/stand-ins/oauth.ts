import { createHash, randomBytes } from 'node:crypto'
import type { Call, Reply } from './server.ts'

const secret = () => randomBytes(12).toString('hex')

type Client = { client_id: string; client_secret: string }

type Settings = {
  authorizePath: string
  tokenPath: string
  /** Path at which tokens are revoked (RFC 7009), if the network has one. */
  revokePath?: string
  clientAuth: 'basic' | 'body'
  clientIdParam?: 'client_id' | 'client_key'
  scopeSeparator?: ' ' | ','
  pkce?: boolean
  /** Seconds for which codes and access tokens count. */
  code_s?: number
  access_s?: number
  /** `none`: no refresh tokens. `single_use`: one that comes twice ends the grant. */
  refresh: 'none' | 'reusable' | 'single_use'
  /** Scope without which there are no refresh tokens. */
  refreshScope?: string
  /** Makes the response of the token endpoint from the fields of RFC 6749, in the shape of the network. */
  shape?: (fields: { access_token: string; expires_in: number; refresh_token?: string; scope: string }) => unknown
  /** Makes an error of the token endpoint in the shape of the network. */
  errorOf?: (error: string, description: string) => Reply
}

/** Sign-in of one person, with everything that was issued for it. `person`: a person of the stand-in. */
type Grant = {
  client_id: string
  person: string
  scopes: string[]
  ended: boolean
  access: string
  refresh: string | undefined
}

type Code = { grant: Grant; redirect_uri: string; challenge: string | null; expires: number; used: boolean }

const plainError = (error: string, error_description: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error, error_description },
})

/**
 * The part of a network at which people sign in (RFC 6749, RFC 7636), as strict as networks are: exact redirect address,
 * codes that count once, proof of the code challenge, client credentials in one place only.
 */
export function oauthServer(settings: Settings, now: () => number = Date.now) {
  const { clientIdParam = 'client_id', scopeSeparator = ' ', code_s = 30, access_s = 7200 } = settings
  const { errorOf = plainError } = settings
  const client: Client & { redirect_uri: string } = {
    client_id: `id-${secret()}`,
    client_secret: `secret-${secret()}`,
    redirect_uri: 'http://meydan.test/api/v1/accounts/oauth/callback',
  }
  /** Further clients, such as those of workspaces. */
  const others: Client[] = []
  const codes = new Map<string, Code>()
  const accessTokens = new Map<string, { grant: Grant; expires: number }>()
  const refreshTokens = new Map<string, { grant: Grant; used: boolean }>()
  const grants: Grant[] = []
  let next: { person: string; denied?: boolean; scopes?: string[] } = { person: 'ada' }
  let renewals = 0

  const isClient = (client_id: unknown, client_secret: unknown) =>
    [client, ...others].some((known) => known.client_id === client_id && known.client_secret === client_secret)

  function issue(grant: Grant): Reply {
    grant.access = `access-${secret()}`
    accessTokens.set(grant.access, { grant, expires: now() + access_s * 1000 })
    if (settings.refresh !== 'none' && (!settings.refreshScope || grant.scopes.includes(settings.refreshScope))) {
      grant.refresh = `refresh-${secret()}`
      refreshTokens.set(grant.refresh, { grant, used: false })
    }
    const fields = {
      access_token: grant.access,
      token_type: 'bearer',
      expires_in: access_s,
      ...(grant.refresh !== undefined && { refresh_token: grant.refresh }),
      scope: grant.scopes.join(scopeSeparator),
    }
    return { status: 200, body: settings.shape?.(fields) ?? fields }
  }

  /** Sends the browser back, as after a click of the person. */
  function authorize({ query }: Call): Reply {
    const redirect_uri = query.get('redirect_uri') ?? ''
    const client_id = query.get(clientIdParam)
    const known = [client, ...others].find((one) => one.client_id === client_id)
    if (!known || redirect_uri !== client.redirect_uri)
      return { status: 400, body: { error: 'the redirect address or the client is unknown' } }
    const back = new URL(redirect_uri)
    back.searchParams.set('state', query.get('state') ?? '')
    const challenge = query.get('code_challenge')
    const hasProof = challenge !== null && query.get('code_challenge_method') === 'S256'
    if (query.get('response_type') !== 'code' || (settings.pkce ? !hasProof : challenge !== null))
      back.searchParams.set('error', 'invalid_request')
    else if (next.denied) back.searchParams.set('error', 'access_denied')
    else {
      const asked = (query.get('scope') ?? '').split(scopeSeparator)
      const scopes = next.scopes ? asked.filter((scope) => next.scopes?.includes(scope)) : asked
      const { client_id } = known
      const grant: Grant = { client_id, person: next.person, scopes, ended: false, access: '', refresh: undefined }
      grants.push(grant)
      const code = secret()
      codes.set(code, { grant, redirect_uri, challenge, expires: now() + code_s * 1000, used: false })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href } }
  }

  /** The id of the client that sends a request; undefined unless it is known. */
  function clientOf({ headers, fields }: Call) {
    const inForm = [fields[clientIdParam], fields.client_secret]
    const inHeader = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
    const isInForm = settings.clientAuth === 'body'
    if (isInForm ? headers.authorization !== undefined : fields.client_secret !== undefined) return
    const [client_id, client_secret] = isInForm ? inForm : inHeader
    return isClient(client_id, client_secret) ? client_id : undefined
  }

  function exchange(call: Call): Reply {
    const { fields } = call
    const code = codes.get(String(fields.code))
    if (!code || code.grant.client_id !== clientOf(call) || code.expires < now())
      return errorOf('invalid_grant', 'The code is unknown or has expired.')
    if (code.used) {
      code.grant.ended = true
      return errorOf('invalid_grant', 'The code was used before.')
    }
    if (fields.redirect_uri !== code.redirect_uri) return errorOf('invalid_grant', 'The redirect address differs.')
    const proof = createHash('sha256').update(String(fields.code_verifier)).digest('base64url')
    if (code.challenge !== null && proof !== code.challenge) return errorOf('invalid_grant', 'The verifier is wrong.')
    code.used = true
    return issue(code.grant)
  }

  function renew(call: Call): Reply {
    const known = refreshTokens.get(String(call.fields.refresh_token))
    if (!known || known.grant.client_id !== clientOf(call) || known.grant.ended)
      return errorOf('invalid_grant', 'The refresh token is unknown or has ended.')
    if (known.used && settings.refresh === 'single_use') {
      known.grant.ended = true
      return errorOf('invalid_grant', 'The refresh token was used before.')
    }
    known.used = true
    renewals++
    return issue(known.grant)
  }

  function token(call: Call): Reply {
    if (call.headers['content-type']?.startsWith('application/json'))
      return errorOf('invalid_request', 'The body must be a form.')
    if (clientOf(call) === undefined) return errorOf('invalid_client', 'The client is unknown.')
    if (call.fields.grant_type === 'authorization_code') return exchange(call)
    if (call.fields.grant_type === 'refresh_token' && settings.refresh !== 'none') return renew(call)
    return errorOf('unsupported_grant_type', 'This grant type is not supported.')
  }

  /** Ends the access token alone, or the grant of a refresh token. */
  function revoke(call: Call): Reply {
    if (clientOf(call) === undefined) return errorOf('invalid_client', 'The client is unknown.')
    const token = String(call.fields.token)
    const known = refreshTokens.get(token)
    if (known && known.grant.client_id !== clientOf(call))
      return errorOf('invalid_request', 'The token is of another client.')
    if (known && !known.grant.ended) known.grant.ended = true
    else if (!accessTokens.delete(token)) return errorOf('invalid_request', 'Value passed for the token was invalid.')
    return { status: 200, body: { revoked: true } }
  }

  return {
    client,
    /** Registers a further client. */
    addClient: (): Client => {
      const other = { client_id: `id-${secret()}`, client_secret: `secret-${secret()}` }
      others.push(other)
      return other
    },
    isClient,
    grants,
    /** Number of renewals that succeeded. */
    renewals: () => renewals,
    /** Result of the following sign-ins. `scopes`: the only ones that the person leaves ticked. */
    signInAs: (person: string, how: { denied?: boolean; scopes?: string[] } = {}) => {
      next = { person, ...how }
    },
    /** The grant of a bearer token; undefined if the token does not count. */
    grantOf: ({ headers }: Pick<Call, 'headers'>): Grant | undefined => {
      const known = accessTokens.get((headers.authorization ?? '').replace(/^Bearer /, ''))
      return known && !known.grant.ended && known.expires > now() ? known.grant : undefined
    },
    /** Issues a further access token, as for an exchange that only this network has. */
    extend: (grant: Grant, seconds: number) => {
      grant.access = `long-${secret()}`
      accessTokens.set(grant.access, { grant, expires: now() + seconds * 1000 })
      return grant.access
    },
    endGrants: () => {
      for (const grant of grants) grant.ended = true
    },
    /** Makes access tokens end, not the grants that renew them. */
    endAccess: () => accessTokens.clear(),
    /** The reply to a call of the sign-in; undefined for other calls. */
    handle: (call: Call): Reply | undefined => {
      if (call.path === settings.authorizePath && call.method === 'GET') return authorize(call)
      if (call.path === settings.tokenPath) return token(call)
      if (call.path === settings.revokePath && call.method === 'POST') return revoke(call)
    },
  }
}

export type OAuthServer = ReturnType<typeof oauthServer>
