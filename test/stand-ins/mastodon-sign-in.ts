import { createHash, randomBytes } from 'node:crypto'
import type { Account } from './mastodon-media.ts'
import type { SignInRules } from './mastodon-software.ts'
import type { Call, Reply } from './server.ts'

const secret = () => randomBytes(16).toString('base64url')
const page = (status: number, text: string): Reply => ({
  status,
  body: Buffer.from(`<!doctype html><p>${text}</p>`),
  headers: { 'content-type': 'text/html; charset=utf-8' },
})
const refusal = (status: number, error: string, error_description: string): Reply => ({
  status,
  body: { error, error_description },
})
const invalidGrant = () =>
  refusal(
    400,
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  )
const invalidScope = () => refusal(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.')

type App = { client_id: string; client_secret: string; redirect_uris: string[]; scopes: string[]; session: string }
type Code = {
  app: App
  person: string
  redirect_uri: string
  challenge: string | null
  scopes: string[]
  used: boolean
}
type Token = { app: App; person: string; scopes: string[]; access: string; refresh: string | undefined }

const splitScopes = (value: unknown) => (typeof value === 'string' ? value.split(/[\s+]+/).filter(Boolean) : [])

/**
 * The part of a server at which apps are registered and people sign in, by docs.joinmastodon.org (methods/apps,
 * methods/oauth) and in the ways of other software. `give`: makes a token count as one of a person.
 */
export function mastodonSignIn({
  rules,
  origin,
  give,
  take,
}: {
  rules: SignInRules
  origin: () => string
  give: (token: string, person: string, scopes: string[]) => Account
  take: (token: string) => void
}) {
  const apps = new Map<string, App>()
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Token>()
  let next: { person: string; denied?: boolean; scopes?: string[] } = { person: 'ada' }

  function register({ fields }: Call): Reply {
    const { client_name, redirect_uris: given, scopes: asked = 'read' } = fields
    if (Array.isArray(given) && !rules.lists) return refusal(400, 'BAD_REQUEST', 'only one value is allowed')
    const redirect_uris = Array.isArray(given) ? given.map(String) : String(given ?? '').split('\n')
    if (!client_name) return { status: 422, body: { error: "Validation failed: Application name can't be blank" } }
    if (!redirect_uris.every((uri) => URL.canParse(uri)))
      return { status: 422, body: { error: 'Validation failed: Redirect URI must be an absolute URI.' } }
    const scopes = splitScopes(asked)
    if (rules.unknownScopes !== 'redirect' && scopes.some((scope) => !(rules.scopes?.includes(scope) ?? true)))
      return { status: 422, body: { error: "Validation failed: Scopes doesn't match configured on the server." } }
    const session = secret()
    const client_id = rules.ofOneSignIn ? Buffer.from(`${origin()}/auth/${session}`).toString('base64') : secret()
    const app = { client_id, client_secret: secret(), redirect_uris, scopes, session }
    apps.set(client_id, app)
    return {
      status: 200,
      body: {
        id: String(apps.size),
        name: client_name,
        website: fields.website ?? null,
        redirect_uri: redirect_uris.join('\n'),
        client_id,
        client_secret: app.client_secret,
        ...(rules.lists && { scopes, redirect_uris, client_secret_expires_at: 0 }),
      },
    }
  }

  /** Sends the browser back, as after a click of the person. */
  function authorize({ query }: Call): Reply {
    const app = apps.get(query.get('client_id') ?? '')
    if (!app) return page(401, 'Client authentication failed due to unknown client.')
    const redirect_uri = query.get('redirect_uri') ?? ''
    if (!app.redirect_uris.includes(redirect_uri)) return page(400, 'The redirect uri included is not valid.')
    if (query.get('response_type') !== 'code') return page(400, 'This response type is not supported.')
    const back = new URL(redirect_uri)
    const state = query.get('state')
    if (state !== null) back.searchParams.set('state', state)
    const send = (fields: Record<string, string>): Reply => {
      const issuer = rules.namesIssuer && { iss: `${origin()}/` }
      for (const [name, value] of Object.entries({ ...fields, ...issuer })) back.searchParams.set(name, value)
      return { status: 302, headers: { location: back.href } }
    }
    const asked = splitScopes(query.get('scope') ?? 'read')
    const isKnown = (scope: string) => app.scopes.includes(scope) && (rules.scopes?.includes(scope) ?? true)
    if (!asked.every(isKnown)) {
      const text = 'The requested scope is invalid, unknown, or malformed.'
      return rules.unknownScopes === 'redirect' ? send({ error: 'invalid_scope' }) : page(400, text)
    }
    if (next.denied)
      return send({
        error: 'access_denied',
        error_description: 'The resource owner or authorization server denied the request.',
      })
    const scopes = next.scopes ? asked.filter((scope) => next.scopes?.includes(scope)) : asked
    const challenge = rules.pkce ? query.get('code_challenge') : null
    const code = rules.ofOneSignIn ? app.session : secret()
    codes.set(code, { app, person: next.person, redirect_uri, challenge, scopes, used: false })
    return send({ code })
  }

  function issue({ app, person, scopes }: Pick<Token, 'app' | 'person' | 'scopes'>): Reply {
    const access = secret()
    const refresh = rules.access_s === null ? undefined : secret()
    tokens.set(access, { app, person, scopes, access, refresh })
    give(access, person, scopes)
    return {
      status: 200,
      body: {
        access_token: access,
        token_type: 'Bearer',
        created_at: Math.floor(Date.now() / 1000),
        ...(rules.namesScopes && { scope: scopes.join(' ') }),
        ...(rules.access_s !== null && { expires_in: rules.access_s, refresh_token: refresh }),
      },
    }
  }

  const clientOf = ({ fields }: Call) => {
    const app = apps.get(String(fields.client_id))
    return app && app.client_secret === fields.client_secret ? app : undefined
  }
  const unknownClient = () =>
    rules.unknownClient === 'plain'
      ? { status: 400, body: { error: 'Invalid credentials' } }
      : refusal(
          401,
          'invalid_client',
          'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
        )

  function exchange({ fields }: Call, app: App): Reply {
    const code = codes.get(String(fields.code))
    if (!code || code.used || code.app !== app || fields.redirect_uri !== code.redirect_uri) return invalidGrant()
    const proof = createHash('sha256').update(String(fields.code_verifier)).digest('base64url')
    if (code.challenge !== null && proof !== code.challenge) return invalidGrant()
    code.used = true
    if (rules.ofOneSignIn) apps.delete(app.client_id)
    return issue(code)
  }

  function token(call: Call): Reply {
    const { fields } = call
    const isOfApp = fields.grant_type === 'client_credentials'
    const ofApp = { status: 200, body: { access_token: secret(), token_type: 'Bearer', scope: 'read' } }
    if (isOfApp && rules.ofOneSignIn) return ofApp
    const app = clientOf(call)
    if (!app) return unknownClient()
    if (isOfApp)
      return splitScopes(fields.scope ?? 'read').every((each) => app.scopes.includes(each)) ? ofApp : invalidScope()
    if (fields.grant_type === 'authorization_code') return exchange(call, app)
    const known = [...tokens.values()].find(({ refresh }) => refresh !== undefined && refresh === fields.refresh_token)
    if (fields.grant_type !== 'refresh_token' || rules.access_s === null)
      return refusal(400, 'unsupported_grant_type', 'The authorization grant type is not supported.')
    if (!known || known.app !== app) return invalidGrant()
    end(known.access)
    return issue(known)
  }

  function end(access: string) {
    tokens.delete(access)
    take(access)
  }

  function revoke(call: Call): Reply {
    const app = clientOf(call)
    const known = tokens.get(String(call.fields.token))
    if (!app || (known && known.app !== app))
      return refusal(403, 'unauthorized_client', 'You are not authorized to revoke this token')
    if (known) end(known.access)
    return { status: 200, body: {} }
  }

  const metadata = () => ({
    issuer: `${origin()}/`,
    authorization_endpoint: `${origin()}/oauth/authorize`,
    token_endpoint: `${origin()}/oauth/token`,
    revocation_endpoint: `${origin()}/oauth/revoke`,
    app_registration_endpoint: `${origin()}/api/v1/apps`,
    scopes_supported: rules.scopes,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    ...(rules.announcesIssuer && { authorization_response_iss_parameter_supported: true }),
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  })

  return {
    apps,
    tokens,
    give,
    /** Result of the following sign-ins. `scopes`: the only ones that the token gets. */
    signInAs: (person: string, how: { denied?: boolean; scopes?: string[] } = {}) => {
      next = { person, ...how }
    },
    /** Deletes the apps, as servers do with those that they take for unused. */
    forgetApps: () => apps.clear(),
    /** The reply to a call of the sign-in; undefined for other calls. */
    handle: (call: Call): Reply | undefined => {
      const { method, path, query } = call
      if (path === '/.well-known/oauth-authorization-server' && rules.metadata) return { status: 200, body: metadata() }
      if (path === '/api/v1/apps' && method === 'POST') return register(call)
      if (path === '/oauth/authorize' && method === 'GET') {
        if (!rules.ofOneSignIn) return authorize(call)
        const location = new URL(Buffer.from(query.get('client_id') ?? '', 'base64').toString())
        for (const [name, value] of query) location.searchParams.set(name, value)
        return { status: 302, headers: { location: location.href } }
      }
      if (path.startsWith('/auth/') && method === 'GET' && rules.ofOneSignIn) return authorize(call)
      if (path === '/oauth/token' && method === 'POST') return token(call)
      if (path === '/oauth/revoke' && method === 'POST' && rules.revokes) return revoke(call)
    },
  }
}
