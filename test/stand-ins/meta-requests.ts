import { type TProperties, Type } from 'typebox'
import { type Fields, GraphError, noPermission, unknownObject } from './facebook-graph.ts'
import { only, problemOf, type RequestRule, ruleOf, words } from './request-rules.ts'
import type { Call } from './server.ts'

/** `when`: values in the body that choose between the rules of one path; undefined for a name that is absent. */
export type MetaRule = RequestRule & { when?: Fields }

export const text = Type.String()
export const flag = Type.Boolean()
export const address = Type.String({ pattern: '^https?://' })
/** An id, also where the description says `unsigned int`: such numbers exceed those of JSON. */
export const id = Type.String({ pattern: '^[0-9]+$' })
/** A time in seconds, or a text that PHP reads as one. */
export const time = Type.Union([Type.Integer({ minimum: 0 }), text])
const count = (maximum: number) => Type.Integer({ minimum: 1, maximum })

/** Several ids: a list, or one text with commas. */
export const ids = (min: number, max: number) =>
  Type.Union([
    Type.Array(id, { minItems: min, maxItems: max }),
    Type.String({ pattern: `^[0-9]+(?:,[0-9]+){${min - 1},${max - 1}}$` }),
  ])

/** Names of fields, each with arguments and fields of its own, such as `likes.limit(0)` and `picture{url}`. */
export function fieldsOf(...known: string[]) {
  const nested = String.raw`\{(?:[^{}]|\{[^{}]*\})*\}`
  const name = String.raw`(?:${known.join('|')})(?:\.\w+\([^()]*\))*(?:${nested})?`
  return Type.String({ pattern: `^${name}(?:,${name})*$` })
}

/** A field that is an object, of which a call can name these fields. */
export const objectField = (field: string, ...known: string[]) => {
  const name = `(?:${known.join('|')})`
  return `${field}(?!\\{)|${field}\\{${name}(?:,${name})*\\}`
}

export const readOne = (...known: string[]) => only({}, { fields: fieldsOf(...known) })

/** Parameters that every list of the Graph API takes. */
export const readList = (known: string[], optional: TProperties = {}) =>
  only(
    {},
    { fields: fieldsOf(...known), limit: count(100), before: text, after: text, since: time, until: time, ...optional },
  )

export const readInsights = (metrics: string[], required: TProperties, optional: TProperties = {}) =>
  only({ metric: words(...metrics), ...required }, { since: time, until: time, ...optional })

/** Throws unless one of the rules allows the request. `scopes`: permissions of its token. */
export function requireRule(rules: readonly MetaRule[], call: Call, scopes: readonly string[]) {
  const isMeant = ({ when = {} }: MetaRule) =>
    Object.entries(when).every(([name, value]) => String(call.fields[name]) === String(value))
  const known = ruleOf(rules, call)
  if (!known) throw unknownObject(call.method, call.path.slice(1))
  const rule = ruleOf(rules.filter(isMeant), call)
  const lacking = (rule ?? known).scopes?.find((scope) => !scopes.includes(scope))
  if (lacking !== undefined) throw noPermission(lacking)
  const names = Object.keys(known.when ?? {}).join(', ')
  const problem = rule ? problemOf(rule, call) : { name: names, message: 'has a value that is not known' }
  if (problem) throw new GraphError({ code: 100, message: `(#100) ${problem.name} ${problem.message}` })
}

/**
 * Requests of the sign-in of Threads and Instagram, after the pages "Get access tokens" of Threads (12 Aug 2026),
 * "Business login for Instagram" (13 Mar 2026) and graph-IGAccessTokenForIGOnlyAPI.json (15 Apr 2026).
 */
export const signInRequests = (prefix: 'th' | 'ig', tokenIn: 'header' | 'address'): RequestRule[] => {
  // The pages name the token as a parameter for both. Meta's own collection of requests for Threads sends a header.
  const token: TProperties = tokenIn === 'address' ? { access_token: text } : {}
  const app = { client_id: text, redirect_uri: address }
  return [
    {
      ...{ method: 'GET', path: '/oauth/authorize' },
      // Spaces may separate permissions too. The stand-in reads commas alone.
      query: only(
        { ...app, response_type: Type.Enum(['code']), scope: Type.String({ pattern: '^\\w+(?:,\\w+)*$' }) },
        { state: text, ...(prefix === 'ig' && { force_reauth: flag, enable_fb_login: flag }) },
      ),
    },
    {
      ...{ method: 'POST', path: '/oauth/access_token' },
      body: only({ ...app, client_secret: text, code: text, grant_type: Type.Enum(['authorization_code']) }),
    },
    {
      ...{ method: 'GET', path: '/access_token' },
      query: only({ grant_type: Type.Enum([`${prefix}_exchange_token`]), client_secret: text, ...token }),
    },
    {
      ...{ method: 'GET', path: '/refresh_access_token' },
      query: only({ grant_type: Type.Enum([`${prefix}_refresh_token`]), ...token }),
    },
  ]
}
