import type { TSchema } from 'typebox'
import type { RuleProblem } from './request-rules.ts'
import type { Call, Reply } from './server.ts'

type Problem = { code: string; message: string }

/** Errors by field, under `_errors`. Items of an array have their index as the key. */
export type Errors = { [key: string]: Errors | Problem[] }

const problem = (code: string, message: string): Problem => ({ code, message })

const typeProblems: Record<string, Problem> = {
  string: problem('STRING_TYPE_CONVERT', 'Could not interpret the value as string.'),
  integer: problem('NUMBER_TYPE_COERCE', 'The value is not int.'),
  number: problem('NUMBER_TYPE_COERCE', 'The value is not double.'),
  boolean: problem('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.'),
  array: problem('LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType'),
  object: problem('DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType'),
}

const badLength = (min = 0, max = 0) =>
  min === 0
    ? problem('BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
    : problem('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)

type Keywords = TSchema & {
  [name in 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum']?: number
} & { type?: string; format?: string; enum?: unknown[] }

/** Discord ignores unknown fields. Its code for them is made up. */
function problemOfRule({ keyword, schema }: RuleProblem): Problem {
  const { type = '', format, minLength, maxLength, minItems, maxItems, minimum, maximum }: Keywords = schema
  if (keyword === 'boolean') return problem('UNKNOWN_FIELD', 'This field is unknown')
  if (keyword === 'required') return problem('BASE_TYPE_REQUIRED', 'This field is required')
  if (keyword.endsWith('Length')) return badLength(minLength, maxLength)
  if (keyword.endsWith('Items') && keyword !== 'uniqueItems') return badLength(minItems, maxItems)
  if (keyword === 'minimum')
    return problem('NUMBER_TYPE_MIN', `int value should be greater than or equal to ${minimum}.`)
  if (keyword === 'maximum') return problem('NUMBER_TYPE_MAX', `int value should be less than or equal to ${maximum}.`)
  if (keyword === 'uniqueItems')
    return problem('SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value')
  if (keyword === 'format')
    return format === 'uri'
      ? problem('URL_TYPE_INVALID_URL', 'Not a well formed URL.')
      : problem('DATE_TIME_TYPE_PARSE', 'Could not parse the value. Should be ISO8601.')
  if (keyword === 'pattern')
    return format === 'uri'
      ? problem('URL_TYPE_INVALID_SCHEME', 'The scheme is not supported.')
      : problem('NUMBER_TYPE_COERCE', 'The value is not snowflake.')
  return (
    typeProblems[type] ??
    problem('BASE_TYPE_CHOICES', `Value must be one of ${JSON.stringify((schema as Keywords).enum)}.`)
  )
}

/** The error of a rule under its field. Fields of `payload_json` stand as if they came alone. */
export const errorsOf = (found: RuleProblem): Errors =>
  found.name
    .replace(/^payload_json\./, '')
    .split('.')
    .reduceRight<Errors>((inner, name) => ({ [name]: inner }), { _errors: [problemOfRule(found)] })

/** The format before version 8, which addresses without a version still have: texts by field, nothing nested. */
const flatErrors = (errors: Errors, path = ''): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([key, value]) =>
      Array.isArray(value)
        ? [[path || key, value.map(({ message }) => message)]]
        : Object.entries(flatErrors(value, path ? `${path}.${key}` : key)),
    ),
  )

const statuses: Record<number, [message: string, code: number]> = {
  400: ['Invalid Form Body', 50035],
  401: ['Invalid Webhook Token', 50027],
  403: ['Missing Permissions', 50013],
  404: ['Unknown Webhook', 10015],
  405: ['405: Method Not Allowed', 0],
  413: ['Request entity too large', 40005],
}

export const refusal = (
  status: number,
  message = statuses[status]?.[0] ?? `${status}`,
  code = statuses[status]?.[1] ?? 0,
) => ({
  status,
  body: { message, code },
})

/**
 * Since version 8, times are in seconds and errors nested. An address without a version is version 6, which has
 * milliseconds and flat texts.
 */
export const isLegacy = (path: string) => Number(/^\/api\/v(\d+)\//.exec(path)?.[1] ?? 6) < 8

export const invalidForm = ({ path }: Call, errors: Errors): Reply =>
  isLegacy(path) ? { status: 400, body: flatErrors(errors) } : { status: 400, body: { ...refusal(400).body, errors } }

/** Discord reports a limit with decimals in the body, and rounds up in the header. */
export function limited(seconds: number, isOld = false): Reply {
  const unit = isOld ? 1000 : 1
  return {
    status: 429,
    body: {
      message: 'You are being rate limited.',
      retry_after: Math.round(seconds * unit * 1000) / 1000,
      global: false,
    },
    headers: {
      'retry-after': String(Math.ceil(seconds) * unit),
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': String(seconds),
      'x-ratelimit-bucket': 'stand-in',
      'x-ratelimit-scope': 'user',
    },
  }
}
