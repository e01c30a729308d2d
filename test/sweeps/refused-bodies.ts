import { expect, test } from 'vitest'
import type { FieldCode } from '../../server/errors.ts'
import { each } from '../each.ts'
import { expectStatus } from '../factories.ts'
import { expectProblem } from '../problem.ts'
import { nameOf, shortNameOf } from '../routes.ts'
import { callWith, type Prepared } from './calls.ts'
import { stateOf } from './database-state.ts'
import type { Schema } from './document.ts'
import type { Sweep } from './sweep.ts'

/** A body with fields that are refused with `code`. */
type Wrong = { body: object; pointers: string[]; code: FieldCode }

const surprise = 'surprise'
/** A refusal lists 20 fields, of which some may be those that the wrong ones replace. */
const FIELDS_AT_ONCE = 10
const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false

/** Whether the schema allows unlisted fields, such as the form of a network. */
const isForm = ({ additionalProperties }: Schema) => typeof additionalProperties === 'object'

/** Bodies with fields too many: read-only fields, unknown fields, nested ones. */
function wrongBodies({ fixture: { published } }: Sweep, { route, sample: { body = {} } }: Prepared): Wrong[] {
  const schema = published.bodyOf(route)
  if (!schema) return [{ body: { [surprise]: 'x' }, pointers: [`/${surprise}`], code: 'unknown_field' }]
  const { properties = {} } = schema
  expect([nameOf(route), isClosed(schema) || isForm(schema)]).toEqual([nameOf(route), true])
  const added = (names: string[], code: FieldCode): Wrong[] =>
    Array.from({ length: Math.ceil(names.length / FIELDS_AT_ONCE) }, (_, index) => {
      const some = names.slice(index * FIELDS_AT_ONCE, (index + 1) * FIELDS_AT_ONCE)
      const fields = Object.fromEntries(some.map((name) => [name, 'x']))
      return { body: { ...body, ...fields }, pointers: some.map((name) => `/${name}`), code }
    })
  const inside = Object.entries(properties).flatMap(([name, property]): Wrong[] => {
    const own = published.named(property)
    const extra = { [surprise]: 'x' }
    const at = (pointer: string, value: unknown): Wrong[] => [
      { body: { ...body, [name]: value }, pointers: [pointer], code: 'unknown_field' },
    ]
    if (own.items && isClosed(published.named(own.items))) return at(`/${name}/0/${surprise}`, [extra])
    return own.properties && isClosed(own) ? at(`/${name}/${surprise}`, extra) : []
  })
  const settable = Object.keys(properties)
  const shown = published.recordOf(route)
  const unknown = [surprise, 'constructor', 'is_admin', 'workspace_id', 'user_id', 'role', 'version']
  return [
    ...added(
      unknown.filter((name) => !settable.includes(name) && !shown.includes(name)),
      'unknown_field',
    ),
    ...added(
      shown.filter((name) => !settable.includes(name)),
      'read_only',
    ),
    ...inside,
  ]
}

async function refuses({ route, sample }: Prepared, wrong: Wrong) {
  const { status, body } = await callWith(route, { ...sample, body: wrong.body })
  const named: { pointer: string; code: string }[] = body?.errors ?? []
  const missing = wrong.pointers.filter(
    (pointer) => named.find((error) => error.pointer === pointer)?.code !== wrong.code,
  )
  const wanted = wrong.code === 'read_only' ? 'read_only' : 'validation_failed'
  return status === 400 && body.code === wanted && missing.length === 0
    ? []
    : [`${nameOf(route)} ${missing}: ${status} ${JSON.stringify(body)} instead of ${wrong.code}`]
}

/** Each route that changes data. */
const changing = ({ preparedOnce }: Sweep) => preparedOnce.filter(({ route }) => route.method !== 'GET')

export function testRefusedBodies(now: () => Sweep) {
  test('every route refuses read-only and unknown fields by name, and changes nothing', async () => {
    const sweep = now()
    const { t } = sweep.fixture
    const before = await stateOf(t)
    const calls = changing(sweep).flatMap((one) => wrongBodies(sweep, one).map((wrong) => ({ one, wrong })))
    expect(calls.filter(({ wrong }) => wrong.code === 'read_only').length).toBeGreaterThan(50)
    const faults = await each(calls, ({ one, wrong }) => refuses(one, wrong))
    expect(faults.flat()).toEqual([])
    expect(await stateOf(t)).toEqual(before)
  })

  test('every route names the required fields that are missing', async () => {
    const sweep = now()
    const { t, published } = sweep.fixture
    const before = await stateOf(t)
    const faults = await each(
      changing(sweep).filter(({ route }) => (published.bodyOf(route)?.required ?? []).length > 0),
      async ({ route, sample }) => {
        const { status, body } = await callWith(route, { ...sample, body: {} })
        const named = (body.errors ?? []).map(
          ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
        )
        const wanted = (published.bodyOf(route)?.required ?? []).map((name) => `/${name} required`)
        return status === 400 && wanted.every((name) => named.includes(name)) ? [] : [`${nameOf(route)}: ${named}`]
      },
    )
    expect(faults.flat()).toEqual([])
    expect(await stateOf(t)).toEqual(before)
  })
}

export function testVersions(now: () => Sweep) {
  test('every route that changes a record refuses an outdated ETag with 412, and changes nothing', async () => {
    const sweep = now()
    const { t } = sweep.fixture
    const records = new Set(sweep.routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const changes = changing(sweep).filter(
      ({ route }) => ['PATCH', 'PUT'].includes(route.method) && records.has(route.path),
    )
    expect(changes.map(({ route }) => shortNameOf(route))).toContain('PATCH /workspace')
    const known = await each(changes, async ({ route, sample }) => {
      const path = route.path.replace(/:\w+/, sample.id ?? '').replace(/:\w+/, sample.within ?? '')
      const at = (value: unknown) => [nameOf(route), value]
      const readEtag = async () => expectStatus(await sample.who.get(path), 200).headers.get('etag') ?? ''
      const etag = await readEtag()
      expect(at(etag)).toEqual(at(expect.stringMatching(/^"\d+"$/)))
      return { route, sample, at, readEtag, etag }
    })
    const before = await stateOf(t)
    await each(known, async ({ route, sample, etag }) => {
      for (const stale of ['"0"', `W/${etag}`, etag.replaceAll('"', '')])
        expectProblem(await callWith(route, sample, { 'if-match': stale }), 412, 'version_conflict')
    })
    expect(await stateOf(t)).toEqual(before)
    for (const { route, sample, at, readEtag } of known) {
      // A route before it may have changed the same record.
      const etag = await readEtag()
      const changed = expectStatus(await callWith(route, sample, { 'if-match': `"0", ${etag}` }), 200)
      expect(at(changed.headers.get('etag'))).not.toEqual(at(etag))
      expect(at(changed.headers.get('etag'))).toEqual(at(await readEtag()))
      expectProblem(await callWith(route, sample, { 'if-match': etag }), 412, 'version_conflict')
    }
  })
}
