import type { Errors } from './discord-errors.ts'

type Fields = Record<string, unknown>

const error = (code: string, message: string): Errors => ({ _errors: [{ code, message }] })
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts of an embed that count towards the 6,000 of a message. */
function embedLength(fields: Fields): number {
  const length = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  const part = (key: string) => (isObject(fields[key]) ? fields[key] : {})
  const rows = Array.isArray(fields.fields) ? fields.fields.filter(isObject) : []
  return (
    length(fields.title) +
    length(fields.description) +
    length(part('footer').text) +
    length(part('author').name) +
    rows.reduce((sum, { name, value }) => sum + length(name) + length(value), 0)
  )
}

/** Finds what the rules of requests cannot say about a message: the length of all embeds, and words in names. */
export function messageErrors({ username, embeds }: Fields): Errors | undefined {
  // https://discord.com/developers/docs/resources/user#usernames-and-nicknames
  const forbidden = ['discord', 'clyde'].find((part) => String(username).toLowerCase().includes(part))
  if (forbidden) return { username: error('USERNAME_INVALID_CONTAINS', `Username cannot contain "${forbidden}"`) }
  const all = Array.isArray(embeds) ? embeds.filter(isObject) : []
  if (all.reduce((sum, each) => sum + embedLength(each), 0) > 6000)
    return { embeds: error('MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000') }
  return undefined
}
