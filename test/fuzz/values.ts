import fc from 'fast-check'
import { subscriptions } from '../../server/events.ts'
import { scopes } from '../../server/lib/http/scopes.ts'
import { PASSWORD } from '../factories.ts'
import { Deferred, RAW_NUMBER } from './deferred.ts'
import type { Schema } from './document.ts'
import type { KnownValues } from './known-values.ts'

type Any = fc.Arbitrary<unknown>

export const deferred = (pick: (values: KnownValues, n: number) => unknown): Any =>
  fc.nat().map((n) => new Deferred((values) => pick(values, n)))

/** `value` in `weight` of ten cases, else `other`. */
export const mostly = <T>(weight: number, value: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: value }, { weight: 10 - weight, arbitrary: other })

const DAY = 86_400_000

/** A time between `from` and `to` milliseconds from the instance's now, as RFC 3339. */
const moment = (from: number, to: number) =>
  fc
    .integer({ min: from, max: to })
    .map((ms) => new Deferred(({ now }) => new Date(now().getTime() + ms).toISOString()))

const oddTimes = fc.constantFrom(
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-23:59'],
  ...[
    '+010000-01-01T00:00:00Z',
    '2024-02-29T12:00:00Z',
    '2023-02-29T12:00:00Z',
    '2026-13-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ],
  ...['2026-06-30T23:59:60Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00-00:00'],
  ...[
    '2026-01-01t00:00:00z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.123456789Z',
    '2026-01-01T00:00:00.1234567890Z',
  ],
  ...[
    '2026-01-01',
    '2026-01-01T00:00:00',
    '1767225600',
    'infinity',
    'now',
    'epoch',
    '4714-11-24T00:00:00 BC',
    '0000-12-31T23:59:59+12:00',
  ],
)

const specials = fc.constantFrom(
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '\u202eevil',
    '\u2066a\u2069',
    '\u200b',
    '\ufeff',
    '\u0085',
    '\u2028',
  ],
  ...[
    '\r\nBcc: x@y.z',
    '<script>alert(1)</script>',
    "'; drop table post; --",
    '%',
    '_',
    '\\',
    '%00',
    '../../etc/passwd',
  ],
  ...['null', 'undefined', 'true', '0', '-1', 'NaN', '1e400', '__proto__', 'constructor', '{{user_name}}', '#{7*7}'],
  ...['İstanbul ıI', 'ﬃ', 'e\u0301', '👩‍👩‍👧‍👦', '𝒳'.repeat(40), 'Z̷̛̘', '٣', '０', 'a'.repeat(300), 'é'.repeat(70_000)],
)

/** Text of every kind, valid and invalid. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  specials,
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 100 }),
)

/** Text of lengths at a bound and one beyond. */
const aroundLength = (min: number, max: number) =>
  fc
    .tuple(
      fc.constantFrom(min - 1, min, min + 1, max - 1, max, max + 1),
      fc.constantFrom('a', 'Ş', '😀', ' ', '\u0301'),
    )
    .map(([length, letter]) => letter.repeat(Math.max(0, Math.min(length, 70_000))))

const anyNumber = fc.constantFrom<unknown>(
  ...[0, -0, -1, 1, 1.5, 101, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e308, 5e-324, RAW_NUMBER],
)

export const junk: Any = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 2, arbitrary: anyNumber },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': null }) },
  { weight: 1, arbitrary: oddTimes },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 400 }).map(nested) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyText, fc.integer({ min: 20, max: 300 })).map(([text, n]) => Array(n).fill(text)),
  },
)
function nested(depth: number) {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value }
  return value
}

const words = fc.constantFrom(
  'Hello',
  'A longer text with several words in it',
  'Merhaba dünya',
  '日本語',
  'emoji 🎉 text',
)

const id = (collection: string) =>
  fc.oneof(
    { weight: 9, arbitrary: deferred((values, n) => values.id(collection, n)) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        deferred((values, n) => values.foreignId(collection, n)),
        fc.uuid(),
      ),
    },
  )

/** Values by field name. Without them hardly any request would pass validation. */
const meanings: Record<string, Any> = {
  email: fc.oneof(
    { weight: 3, arbitrary: deferred((values) => values.freshAddress()) },
    { weight: 1, arbitrary: deferred((values, n) => values.knownAddress(n)) },
  ),
  password: fc.constant(PASSWORD),
  current_password: fc.constant(PASSWORD),
  new_password: fc.constant(PASSWORD),
  newPassword: fc.constant(PASSWORD),
  timezone: fc.constantFrom('UTC', 'Europe/Istanbul', 'America/New_York', 'Asia/Kolkata'),
  locale: fc.constantFrom('en', 'tr', 'tr-TR', 'en-GB', 'de'),
  url: deferred((values, n) => values.hookUrl(n)),
  events: fc.oneof(
    fc.constant(['*']),
    fc.uniqueArray(fc.constantFrom(...subscriptions), { minLength: 1, maxLength: 4 }),
  ),
  scopes: fc.uniqueArray(fc.constantFrom(...Object.keys(scopes)), { maxLength: 4 }),
  account_id: id('accounts'),
  account_ids: fc.array(id('accounts'), { maxLength: 2 }),
  workspace_id: id('workspaces'),
  team_id: fc.option(id('workspaces')),
  actor: id('members'),
  cursor: deferred((values, n) => values.cursor(n)),
  action: fc.constantFrom('post.created', 'workspace.*', 'user.signed_in', 'api_token.*'),
  scheduled_at: fc.option(moment(60_000, 400 * DAY)),
  expires_at: fc.option(moment(60_000, 300 * DAY)),
  from: moment(-DAY, 0),
  to: moment(0, DAY),
  since: moment(-DAY, 0),
  until: moment(0, DAY),
  updated_since: moment(-DAY, 0),
  content: words,
  search: fc.constantFrom('hello', 'metin', 'text word', '"several words"', '100%'),
  slug: deferred((values) => values.freshName().toLowerCase().replaceAll(' ', '-')),
  name: deferred((values) => values.freshName()),
  workspace_name: deferred((values) => values.freshName()),
  options: fc.constantFrom<unknown>({}, {}, { langs: ['en'] }),
}

/** Shared, because building one is slow. */
const smallJson = fc.jsonValue({ maxDepth: 2 })

const matching = new Map<string, Any>()
/** Cached, because building one is slow. */
function textLike(pattern: string, size: 'xsmall' | '+1') {
  const name = `${size} ${pattern}`
  // Lookaheads are dropped: what they exclude is rare.
  const plain = pattern.replace(/\(\?![^)]*\)/g, '')
  const known = matching.get(name) ?? fc.stringMatching(new RegExp(plain), { size })
  matching.set(name, known)
  return known
}

function leaf(schema: Schema): Any {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(schema.minimum ?? -1000), max: schema.maximum ?? 1000 })
    case 'string':
      if (schema.format === 'date-time') return moment(-DAY, DAY)
      if (schema.format === 'idn-email') return deferred((values) => values.freshAddress())
      if (schema.pattern?.includes('0-9')) return textLike(schema.pattern, 'xsmall')
      return words.map((text) => text.slice(0, schema.maxLength ?? 80))
    default:
      return smallJson
  }
}

/** Values at the edges of a schema, and just beyond. */
function edgeLeaf(schema: Schema): Any {
  const types = [schema.type].flat()
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), anyText)
  if (types.includes('integer') || types.includes('number')) {
    const { minimum = 0, maximum = 2 ** 31 - 1 } = schema
    return fc.oneof(fc.constantFrom(minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1), anyNumber)
  }
  if (!types.includes('string')) return fc.oneof(leaf(schema), junk)
  const { minLength = 0, maxLength = 1000 } = schema
  return fc.oneof(
    { weight: 2, arbitrary: aroundLength(minLength, maxLength) },
    { weight: 2, arbitrary: anyText },
    ...(schema.format === 'date-time' ? [{ weight: 4, arbitrary: oddTimes }] : []),
    ...(schema.format === 'idn-email' ? [{ weight: 4, arbitrary: oddAddresses }] : []),
    ...(schema.pattern?.includes('0-9') ? [{ weight: 2, arbitrary: textLike(schema.pattern, '+1') }] : []),
  )
}

const oddAddresses = fc.constantFrom(
  ...[
    'a@b.co',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.example`,
    'A.B+c@EXAMPLE.com',
  ],
  ...[
    'a@b',
    '@b.co',
    'a@',
    "o'hara@example.com",
    'a@b.co\r\nBcc: c@d.ee',
    'a b@example.com',
    'ü@example.com',
    'a@exämple.com',
    '"a b"@example.com',
  ],
  ...[
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    '<a@example.com>',
    'a@example.com,b@example.com',
  ],
)

type Build = { schemaOf: (schema: Schema) => Schema; edge: boolean }

/** Values of a schema; with `edge`, some at its edges and just beyond. */
export function fitting(given: Schema, name: string, build: Build): Any {
  const schema = build.schemaOf(given)
  const types = [schema.type].flat()
  const plain = meanings[name] ?? structured(schema, build)
  const value = build.edge
    ? fc.oneof(
        { weight: 5, arbitrary: plain },
        { weight: types.includes('object') ? 0 : 4, arbitrary: edges(schema, build) },
      )
    : plain
  return types.includes('null')
    ? fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
    : value
}

const edges = (schema: Schema, build: Build) =>
  schema.items ? listOf(schema, schema.items, build, (schema.maxItems ?? 20) + 1) : edgeLeaf(schema)

const listOf = ({ minItems = 0 }: Schema, items: Schema, build: Build, maxLength: number) =>
  fc.array(fitting(items, '', build), { minLength: build.edge ? 0 : minItems, maxLength: Math.min(maxLength, 60) })

function structured(schema: Schema, build: Build): Any {
  if (schema.items) return listOf(schema, schema.items, build, Math.min(schema.maxItems ?? 3, 3))
  if (!schema.properties) return leaf(schema)
  const fields = Object.entries(schema.properties)
  if (fields.length === 0) return fc.constant({})
  const { required = [] } = schema
  const record = Object.fromEntries(fields.map(([field, of]) => [field, fitting(of, field, build)]))
  // Most optional fields are left out, or every post would have both a time and none.
  return fc
    .tuple(fc.record(record), fc.array(fc.nat({ max: 9 }), { minLength: fields.length, maxLength: fields.length }))
    .map(([whole, dice]) => {
      const kept = fields.filter(([field], index) => required.includes(field) || (dice[index] ?? 0) < 3)
      const shown = kept.length ? kept : fields.slice((dice[0] ?? 0) % fields.length).slice(0, 1)
      return Object.fromEntries(shown.map(([field]) => [field, whole[field]]))
    })
}
