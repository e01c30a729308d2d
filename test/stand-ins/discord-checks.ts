/** A message as a caller of a webhook sends it. Unknown until `messageErrors` has found nothing. */
type Fields = Record<string, unknown>

type Problem = { code: string; message: string }

/** Errors by field, under `_errors`. Items of an array have their index as the key. */
export type Errors = { [key: string]: Errors | Problem[] }

type Check = (value: unknown) => Errors | undefined

const error = (code: string, message: string): Errors => ({ _errors: [{ code, message }] })
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Length of a text in UTF-16 units. The documentation names no unit; no other one counts more. */
const text =
  (max: number, min = 0): Check =>
  (value) => {
    if (typeof value !== 'string') return error('STRING_TYPE_CONVERT', `Could not interpret "${value}" as string.`)
    if (value.length > max && min === 0) return error('BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
    if (value.length > max || value.length < min)
      return error('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)
    return undefined
  }

const url =
  (...schemes: string[]): Check =>
  (value) => {
    const tooLong = text(2048)(value)
    if (tooLong) return tooLong
    if (!URL.canParse(String(value))) return error('URL_TYPE_INVALID_URL', 'Not a well formed URL.')
    const scheme = new URL(String(value)).protocol.slice(0, -1)
    return schemes.includes(scheme)
      ? undefined
      : error('URL_TYPE_INVALID_SCHEME', `Scheme "${scheme}" is not supported. Scheme must be one of ${schemes}.`)
  }
const link = url('http', 'https')
const picture = url('http', 'https', 'attachment')

const integer =
  (min: number, max: number): Check =>
  (value) => {
    if (!Number.isInteger(value)) return error('NUMBER_TYPE_COERCE', `Value "${value}" is not int.`)
    if (Number(value) < min) return error('NUMBER_TYPE_MIN', `int value should be greater than or equal to ${min}.`)
    if (Number(value) > max) return error('NUMBER_TYPE_MAX', `int value should be less than or equal to ${max}.`)
    return undefined
  }

const flag: Check = (value) =>
  typeof value === 'boolean' ? undefined : error('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.')

const time: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : error('DATE_TIME_TYPE_PARSE', `Could not parse ${value}. Should be ISO8601.`)

const snowflake: Check = (value) =>
  /^(0|[1-9]\d*)$/.test(String(value)) && (typeof value === 'string' || Number.isInteger(value))
    ? undefined
    : error('NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`)

const oneOf =
  (...choices: unknown[]): Check =>
  (value) =>
    choices.includes(value) ? undefined : error('BASE_TYPE_CHOICES', `Value must be one of ${JSON.stringify(choices)}.`)

const list =
  (each: Check, max: number, { min = 0, unique = false } = {}): Check =>
  (value) => {
    if (!Array.isArray(value)) return error('LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType')
    if (value.length > max || value.length < min)
      return error('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)
    if (unique && new Set(value).size < value.length)
      return error('SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value')
    return found(value.map((item, index): [string, Errors | undefined] => [String(index), each(item)]))
  }

const found = (entries: [string, Errors | undefined][]): Errors | undefined => {
  const wrong = entries.flatMap(([key, errors]) => (errors ? [[key, errors] as const] : []))
  return wrong.length > 0 ? Object.fromEntries(wrong) : undefined
}

/** Null counts as absent. Fields that Discord does not know are ignored, as it does. */
const object =
  (fields: Record<string, Check>, required: string[] = []): Check =>
  (value) => {
    if (!isObject(value)) return error('DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType')
    return found(
      Object.entries(fields).map(([key, check]) => {
        const given = value[key]
        if (given === undefined || given === null)
          return [key, required.includes(key) ? error('BASE_TYPE_REQUIRED', 'This field is required') : undefined]
        return [key, check(given)]
      }),
    )
  }

const emoji = object({ id: snowflake, name: text(32) })

const embed = object({
  type: text(152_133),
  url: link,
  title: text(256),
  color: integer(0, 0xffffff),
  timestamp: time,
  description: text(4096),
  author: object({ name: text(256), url: link, icon_url: picture }),
  image: object({ url: picture, description: text(4096) }),
  thumbnail: object({ url: picture, description: text(4096) }),
  footer: object({ text: text(2048), icon_url: picture }),
  fields: list(object({ name: text(256), value: text(1024), inline: flag }, ['name', 'value']), 25),
})

const poll = object(
  {
    question: object({ text: text(300, 1) }, ['text']),
    answers: list(object({ poll_media: object({ text: text(300, 1), emoji }) }, ['poll_media']), 10, { min: 1 }),
    allow_multiselect: flag,
    layout_type: oneOf(1),
    duration: integer(1, 768),
  },
  ['question', 'answers'],
)

const mentions = object({
  parse: list(oneOf('users', 'roles', 'everyone'), 1521, { unique: true }),
  users: list(snowflake, 100, { unique: true }),
  roles: list(snowflake, 100, { unique: true }),
  replied_user: flag,
})

const shared: Record<string, Check> = {
  content: text(2000),
  embeds: list(embed, 10),
  allowed_mentions: mentions,
  components: list(object({ type: integer(1, 20) }, ['type']), 40),
  attachments: list(
    object({ id: snowflake, filename: text(1024, 1), description: text(1024), title: text(1024), is_spoiler: flag }, [
      'id',
    ]),
    10,
  ),
  poll,
  flags: integer(0, Number.MAX_SAFE_INTEGER),
}

/** https://discord.com/developers/docs/resources/user#usernames-and-nicknames */
const username: Check = (value) => {
  const forbidden = ['discord', 'clyde'].find((part) => String(value).toLowerCase().includes(part))
  if (forbidden) return error('USERNAME_INVALID_CONTAINS', `Username cannot contain "${forbidden}"`)
  return text(80, 1)(value)
}

const message = object({
  ...shared,
  tts: flag,
  username,
  avatar_url: link,
  thread_name: text(100),
  applied_tags: list(snowflake, 5),
})
const edit = object(shared)

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

/** Finds what Discord would refuse in a new message (`isEdit`: in an edit), as its `errors`. */
export function messageErrors(fields: Fields, isEdit = false): Errors | undefined {
  const errors = (isEdit ? edit : message)(fields)
  if (errors) return errors
  const embeds = Array.isArray(fields.embeds) ? fields.embeds.filter(isObject) : []
  if (embeds.reduce((sum, each) => sum + embedLength(each), 0) > 6000)
    return { embeds: error('MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000') }
  return undefined
}

/** The format before version 8, which addresses without a version still have: texts by field, nothing nested. */
export const flatErrors = (errors: Errors, path = ''): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([key, value]) =>
      Array.isArray(value)
        ? [[path || key, value.map(({ message }) => message)]]
        : Object.entries(flatErrors(value, path ? `${path}.${key}` : key)),
    ),
  )
