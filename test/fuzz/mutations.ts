import fc from 'fast-check'
import { Deferred, toJson } from './deferred.ts'
import { anyText, junk } from './values.ts'

type Place = { at: Record<string, unknown> | unknown[]; key: string }

function places(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Deferred) return found
  for (const key of Object.keys(value)) {
    found.push({ at: value as Place['at'], key })
    places(Reflect.get(value, key), found)
  }
  return found
}

const copied = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Deferred) return value
  if (Array.isArray(value)) return Array.from(value, copied)
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copied(child)]))
}

const set = (at: Place['at'], key: string, value: unknown) =>
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true })

const strange = fc.oneof(
  fc.constantFrom(
    ...['id', 'role', 'version', 'user_id', 'plan_code', 'is_instance_admin', 'created_at', 'status', 'secret'],
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', ' ', 'a/b~c', '\0', 'x'.repeat(3000)),
  anyText,
)

/** A change that hardly any schema allows. */
const mutation: fc.Arbitrary<(value: unknown) => unknown> = fc
  .record({ kind: fc.nat({ max: 9 }), where: fc.nat(), name: strange, value: junk })
  .map(({ kind, where, name, value }) => (body) => {
    const all = places(body)
    const place = all[where % (all.length || 1)]
    if (kind <= 4 && place) set(place.at, place.key, copied(value))
    else if (kind <= 6 && place) Reflect.deleteProperty(place.at, place.key)
    else if (kind <= 8 && typeof body === 'object' && body !== null && !(body instanceof Deferred))
      set(body as Record<string, unknown>, name, copied(value))
    else return copied(value)
    return body
  })

/** A value with one to three faults. */
export const mutated = (value: fc.Arbitrary<unknown>) =>
  fc
    .tuple(value, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => changes.reduce((so_far, change) => change(so_far), copied(body)))

/** Bodies that are invalid, minimal or oversized JSON. */
export const rawBody = fc.oneof(
  fc.constantFrom<string | Buffer>(
    ...['', ' ', '{', '}', '{"a":', '[]', '"x"', '0', 'null', 'true', '[{}]', '{"a":1,"a":2}', '{"a":1}{', '\ufeff{}'],
    ...[
      "{'a':1}",
      '{"a":01}',
      '{"a":1e400}',
      '{"\\ud800":1}',
      '{"a":"\\u0000"}',
      '{"__proto__":{"x":1}}',
      'a=1&b=2',
      '--b\r\n',
    ],
    Buffer.from([0xff, 0xfe, 0x7b, 0]),
    Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  ),
  fc.constantFrom(2000, 200_000).map((deep) => '['.repeat(deep)),
  fc.constantFrom(2000, 100_000).map((deep) => `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`),
  fc.jsonValue().map((value) => (toJson(value) ?? '').slice(0, -1)),
)

/** Around the size limit of a body, and above. */
export const hugeBody = fc
  .constantFrom(999_980, 1_000_000, 1_000_001, 1_400_000)
  .map((size) => `{"content":"${'x'.repeat(size - 14)}"}`)
