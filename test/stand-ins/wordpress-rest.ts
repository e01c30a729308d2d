import type { Call, Reply } from './server.ts'

export type Fields = Record<string, unknown>
type Role = 'editor' | 'author' | 'contributor'

/** The caller; null for anybody, as whom WordPress also treats a wrong password. */
export type User = { id: number; login: string; email: string; name: string; role: Role } | null

/** An error of WordPress's REST API. */
export class RestError extends Error {
  readonly status: number
  readonly body: Fields
  constructor(status: number, code: string, message: string, more: { data?: Fields; beside?: Fields } = {}) {
    super(message)
    this.status = status
    this.body = { code, message, data: { status, ...more.data }, ...more.beside }
  }
}

/** A call to the API. `fields`: the fields of query and body. `at`: time of its arrival, in seconds of UTC. */
export type RestCall = { call: Call; route: string; fields: Fields; user: User; base: string; at: Date }

export const unauthorized = (user: User, code: string, message: string) =>
  new RestError(user ? 403 : 401, code, message)

/** Refuses arguments: what is wrong with each. */
export const invalidParams = (params: Record<string, string>, details: Fields = {}) =>
  new RestError(400, 'rest_invalid_param', `Invalid parameter(s): ${Object.keys(params).join(', ')}`, {
    data: { params, details },
  })

/** A list: an array, or its items with commas between. */
export const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(',')).map((item) => String(item).trim())

const all = (choices: string[]) =>
  `${choices.slice(0, -1).join(', ')}${choices.length > 2 ? ',' : ''} and ${choices.at(-1)}`

/** The error of an argument whose values are listed. */
export const notOneOf = (name: string, value: unknown, choices: string[]) =>
  value === undefined || choices.includes(String(value)) ? {} : { [name]: `${name} is not one of ${all(choices)}.` }

/** Text for a reader of HTML, as `title` and `content` have it beside the raw one in the context `edit`. */
export const rendered = (raw: string, isEdit: boolean, html = raw) => ({ ...(isEdit && { raw }), rendered: html })

/** Wraps text that is not HTML yet. */
export const paragraph = (raw: string) => {
  if (raw === '') return ''
  return raw.startsWith('<') ? `${raw}\n` : `<p>${raw}</p>\n`
}

/** Keeps the fields that `_fields` names; `title.raw` keeps the whole title. */
export function pick(body: Fields, wanted: unknown): Fields {
  if (wanted === undefined) return body
  const names = new Set(listOf(wanted).map((name) => name.split('.')[0]))
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)))
}

/** One page of a list, with the totals in its headers. */
export function page(all: Fields[], { per_page = 10, page: number = 1, _fields }: Fields): Reply {
  if (!(Number(per_page) >= 1 && Number(per_page) <= 100))
    throw invalidParams({ per_page: 'per_page must be between 1 (inclusive) and 100 (inclusive)' })
  const pages = Math.ceil(all.length / Number(per_page))
  if (Number(number) > Math.max(pages, 1))
    throw new RestError(
      400,
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    )
  const start = (Number(number) - 1) * Number(per_page)
  return {
    status: 200,
    body: all.slice(start, start + Number(per_page)).map((item) => pick(item, _fields)),
    headers: { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(pages) },
  }
}

/** WordPress keeps letters of other scripts as percent-encoded bytes. */
export const slugOf = (text: string) =>
  encodeURIComponent(
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll('ı', 'i')
      .replace(/[^\p{L}\p{N}_-]+/gu, '-')
      .replace(/-+/g, '-')
      .replace(/^-|-$/g, ''),
  ).toLowerCase()

/** Local time of the site, which is UTC here; WordPress leaves out the zone. */
export const timeOf = (date: Date) => date.toISOString().slice(0, 19)
