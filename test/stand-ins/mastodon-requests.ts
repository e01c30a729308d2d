import { Type } from 'typebox'
import { only, type RequestRule, type RuleProblem, upload } from './request-rules.ts'
import type { Reply } from './server.ts'

const text = Type.String()
const flag = Type.Boolean()
const id = Type.String({ minLength: 1 })
const ids = Type.Array(id)

const quote_approval_policy = Type.Enum(['public', 'followers', 'nobody'])
/** Numbers and lengths differ between servers, so that their limits are checked elsewhere. */
const poll = only(
  { options: Type.Array(Type.String({ minLength: 1 }), { minItems: 2 }), expires_in: Type.Integer({ minimum: 1 }) },
  { multiple: flag, hide_totals: flag },
)
const coordinate = '-?(?:0(?:\\.\\d+)?|1(?:\\.0+)?)'
const focus = Type.String({ pattern: `^${coordinate},${coordinate}$` })

const file = upload(Number.MAX_SAFE_INTEGER)
const about = { thumbnail: file, description: text, focus }
/** A language by two or three letters, with a region or without. */
const language = Type.String({ pattern: '^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$' })
const content = { status: text, spoiler_text: text, sensitive: flag, language, media_ids: ids, poll }

const client = { client_id: id, client_secret: id }
const writing = ['write:statuses']
const uploading = ['write:media']

/**
 * Requests of a publisher, by the documentation of statuses, media, accounts, apps and OAuth. What differs between
 * servers is checked elsewhere.
 */
export const requests: RequestRule[] = [
  { method: 'GET', path: '/api/v1/instance' },
  { method: 'GET', path: '/api/v2/instance' },
  { method: 'GET', path: '/api/v1/accounts/verify_credentials', scopes: ['read:accounts'] },
  {
    ...{ method: 'GET', path: '/api/v1/accounts/search', scopes: ['read:accounts'] },
    query: only(
      { q: text },
      {
        limit: Type.Integer({ minimum: 1, maximum: 80 }),
        ...{ offset: Type.Integer({ minimum: 0 }), resolve: flag, following: flag },
      },
    ),
  },
  {
    ...{ method: 'GET', path: '/api/v1/accounts/{id}/statuses', scopes: ['read:statuses'] },
    query: only(
      {},
      {
        ...{ max_id: id, since_id: id, min_id: id, limit: Type.Integer({ minimum: 1, maximum: 40 }), tagged: text },
        ...{ only_media: flag, exclude_replies: flag, exclude_reblogs: flag, pinned: flag },
      },
    ),
  },
  {
    ...{ method: 'POST', path: '/api/v1/statuses', scopes: writing },
    body: only(
      {},
      {
        ...{ ...content, visibility: text, in_reply_to_id: id, quoted_status_id: id, quote_approval_policy },
        scheduled_at: Type.String({ format: 'date-time' }),
      },
    ),
  },
  { method: 'GET', path: '/api/v1/statuses/{id}' },
  { method: 'GET', path: '/api/v1/statuses/{id}/source', scopes: ['read:statuses'] },
  {
    ...{ method: 'PUT', path: '/api/v1/statuses/{id}', scopes: writing },
    body: only({}, { ...content, media_attributes: Type.Array(only({ id }, about)), quote_approval_policy }),
  },
  { method: 'DELETE', path: '/api/v1/statuses/{id}', scopes: writing, query: only({}, { delete_media: flag }) },
  { method: 'POST', path: '/api/v2/media', scopes: uploading, body: only({ file }, about) },
  { method: 'GET', path: '/api/v1/media/{id}', scopes: uploading },
  { method: 'PUT', path: '/api/v1/media/{id}', scopes: uploading, body: only({}, about) },
  {
    ...{ method: 'POST', path: '/api/v1/apps' },
    body: only(
      { client_name: id, redirect_uris: Type.Union([id, Type.Array(id, { minItems: 1 })]) },
      { scopes: text, website: Type.String({ format: 'uri' }) },
    ),
  },
  {
    ...{ method: 'GET', path: '/oauth/authorize' },
    query: only(
      { response_type: text, client_id: id, redirect_uri: id },
      {
        ...{ scope: text, state: text, force_login: flag, lang: text },
        ...{ code_challenge: text, code_challenge_method: Type.Enum(['S256']) },
      },
    ),
  },
  {
    ...{ method: 'POST', path: '/oauth/token' },
    body: only(
      { ...client, grant_type: text },
      { code: id, redirect_uri: id, scope: text, code_verifier: id, refresh_token: id },
    ),
  },
  // The hint is of RFC 7009, which the documentation does not repeat.
  { method: 'POST', path: '/oauth/revoke', body: only({ ...client, token: id }, { token_type_hint: text }) },
]

const names: Record<string, string> = { client_name: 'Application name', redirect_uris: 'Redirect URI', file: 'File' }

/** The refusal of a request that breaks a rule. `status`: that of a refused post. Servers ignore unknown names. */
export function refusalOf(path: string, { name, message, keyword }: RuleProblem, status: number): Reply {
  if (path.startsWith('/oauth/'))
    return { status: 400, body: { error: 'invalid_request', error_description: `${name} ${message}` } }
  const isBlank = keyword === 'required' || keyword === 'minLength' || keyword === 'minimum'
  const sentence = `${names[name.replace(/\.size$/, '')] ?? name} ${isBlank ? "can't be blank" : message}`
  return { status, body: { error: `Validation failed: ${sentence}` } }
}
