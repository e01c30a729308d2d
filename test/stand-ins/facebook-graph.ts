import type { Reply } from './server.ts'

export type Fields = Record<string, unknown>

type Details = { code: number; message: string; status?: number; subcode?: number; user?: [string, string] }

/** An error of the Graph API. `user`: the title and the text for people. */
export class GraphError extends Error {
  readonly details: Details
  constructor(details: Details) {
    super(details.message)
    this.details = details
  }
}

export function errorReply({ code, message, status = 400, subcode, user }: Details): Reply {
  const [title, text] = user ?? []
  const error = {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode, is_transient: false }),
    ...(user && { error_user_title: title, error_user_msg: text }),
    fbtrace_id: 'AbCdEfGhIjK',
  }
  return { status, body: { error } }
}

export const invalidToken = (message = 'Error validating access token: Session has expired.') =>
  new GraphError({ code: 190, subcode: 463, status: 401, message })

export const unknownObject = (method: string, id: string) =>
  new GraphError({
    code: 100,
    subcode: 33,
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  })

export const missing = (name: string) =>
  new GraphError({ code: 100, message: `(#100) The parameter ${name} is required` })

export const noPermission = (scope: string) =>
  new GraphError({ code: 200, status: 403, message: `(#200) Requires ${scope} permission` })

/** Names how much of its calls an account has used, in percent, and the minutes until it has some again. */
export const usageHeader = (id: string, call_count: number) => ({
  'x-business-use-case-usage': JSON.stringify({
    [id]: [
      {
        ...{ type: 'pages', call_count, total_cputime: 25, total_time: 25 },
        estimated_time_to_regain_access: call_count < 100 ? 0 : 5,
      },
    ],
  }),
})

/** The reply of an app that called too often: 400, and the minutes to wait in a header. */
export const limitReply = (page: string): Reply => ({
  ...errorReply({ code: 80_001, message: '(#80001) There have been too many calls to this Page account.' }),
  headers: usageHeader(page, 100),
})

/** Times have an offset without a colon. */
export const timeOf = (time: Date) => time.toISOString().replace(/\.\d+Z$/, '+0000')

/** The names in `fields`, such as `id`, `picture` and `likes` of `id,picture{url},likes.limit(0)`. */
function namesOf(fields: string) {
  const names: string[] = []
  let depth = 0
  let name = ''
  for (const character of fields) {
    if (character === ',' && depth === 0) {
      names.push(name)
      name = ''
    } else if (depth === 0 && !'{('.includes(character)) name += character
    if ('{('.includes(character)) depth++
    if ('})'.includes(character)) depth--
  }
  return [...names, name].map((each) => each.replace(/\..*$/, ''))
}

/** The fields of an object that a call asks for; without `fields` its id. What has no value is absent. */
export function pick(object: Fields, fields: unknown = 'id'): Fields {
  const names = ['id', ...namesOf(String(fields))]
  for (const name of names)
    if (!(name in object))
      throw new GraphError({ code: 100, message: `(#100) Tried accessing nonexisting field (${name})` })
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => names.includes(name) && value !== ''))
}

/** A page of a list. The address of the next one contains the token. */
export function listReply(rows: Fields[], args: Fields, token: string): Fields {
  const limit = Math.min(Number(args.limit ?? 25), 100)
  const start = args.after === undefined ? 0 : Number(Buffer.from(String(args.after), 'base64').toString())
  const data = rows.slice(start, start + limit).map((row) => pick(row, args.fields))
  const after = Buffer.from(String(start + limit)).toString('base64')
  const next = `https://graph.facebook.com/v26.0/next?access_token=${token}&after=${after}`
  const isLast = start + limit >= rows.length
  return { data, ...(data.length > 0 && { paging: { cursors: { before: 'QQ', after }, ...(!isLast && { next }) } }) }
}
