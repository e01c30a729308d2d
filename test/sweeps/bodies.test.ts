import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FieldCode } from '../../server/errors.ts'
import type { Client } from '../client.ts'
import { each } from '../each.ts'
import { expectStatus } from '../factories.ts'
import { expectProblem } from '../problem.ts'
import { nameOf, oneMount, type Route, routesWithAccess, shortNameOf } from '../routes.ts'
import { SEED } from '../torture/settings.ts'
import { stateOf } from './database-state.ts'
import type { Schema } from './document.ts'
import { createFixture, type Fixture } from './fixture.ts'
import type { Sample } from './resources.ts'
import { callWith, documented, sampleFor } from './samples.ts'

let fixture: Fixture
let routes: Route[]
/** Each route that changes data, with a sample that makes it succeed. */
let made: { route: Route; sample: Awaited<ReturnType<typeof sampleFor>> }[]
beforeAll(async () => {
  fixture = await createFixture()
  routes = documented(await routesWithAccess(fixture.t.deps))
  const changing = oneMount(routes.filter(({ method }) => method !== 'GET'))
  made = await each(changing, async (route) => ({ route, sample: await sampleFor(fixture, route) }))
})
afterAll(() => fixture.close())

type Wrong = { body: object; pointer: string; code: FieldCode }

const surprise = 'surprise'
const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false

/** Whether the schema allows unlisted fields, such as the form of a network. */
const isForm = ({ additionalProperties }: Schema) => typeof additionalProperties === 'object'

/** Bodies with one field too many: a read-only field, an unknown field, a nested one. */
function wrongBodies(route: Route, body: object): Wrong[] {
  const schema = fixture.published.bodyOf(route)
  if (!schema) return [{ body: { [surprise]: 'x' }, pointer: `/${surprise}`, code: 'unknown_field' }]
  const { properties = {} } = schema
  expect([nameOf(route), isClosed(schema) || isForm(schema)]).toEqual([nameOf(route), true])
  const settable = Object.keys(properties)
  const inside = Object.entries(properties).flatMap(([name, property]): Wrong[] => {
    const own = fixture.published.named(property)
    const { items } = own
    if (items && isClosed(fixture.published.named(items)))
      return [
        { body: { ...body, [name]: [{ [surprise]: 'x' }] }, pointer: `/${name}/0/${surprise}`, code: 'unknown_field' },
      ]
    if (own.properties && isClosed(own))
      return [
        { body: { ...body, [name]: { [surprise]: 'x' } }, pointer: `/${name}/${surprise}`, code: 'unknown_field' },
      ]
    return []
  })
  return [
    ...[surprise, 'constructor', 'is_admin', 'workspace_id', 'user_id', 'role', 'version']
      .filter((name) => !settable.includes(name) && !fixture.published.recordOf(route).includes(name))
      .map((name): Wrong => ({ body: { ...body, [name]: 'x' }, pointer: `/${name}`, code: 'unknown_field' })),
    ...fixture.published
      .recordOf(route)
      .filter((name) => !settable.includes(name))
      .map((name): Wrong => ({ body: { ...body, [name]: 'x' }, pointer: `/${name}`, code: 'read_only' })),
    ...inside,
  ]
}

async function refuses(route: Route, sample: Sample & { who: Client }, wrong: Wrong) {
  const { status, body } = await callWith(route, { ...sample, body: wrong.body })
  const found = body?.errors?.find(({ pointer }: { pointer: string }) => pointer === wrong.pointer)
  const wanted = wrong.code === 'read_only' ? 'read_only' : 'validation_failed'
  return status === 400 && body.code === wanted && found?.code === wrong.code
    ? []
    : [`${nameOf(route)} ${wrong.pointer}: ${status} ${JSON.stringify(body)} instead of ${wrong.code}`]
}

test(`every route refuses read-only and unknown fields by name, and changes nothing (seed ${SEED})`, async () => {
  const before = await stateOf(fixture.t)
  const calls = made.flatMap(({ route, sample }) =>
    wrongBodies(route, sample.body ?? {}).map((wrong) => ({ route, sample, wrong })),
  )
  expect(calls.filter(({ wrong }) => wrong.code === 'read_only').length).toBeGreaterThan(50)
  const faults = await each(calls, ({ route, sample, wrong }) => refuses(route, sample, wrong))
  expect(faults.flat()).toEqual([])
  expect(await stateOf(fixture.t)).toEqual(before)
})

test('every route names the required fields that are missing', async () => {
  const before = await stateOf(fixture.t)
  const faults = await each(
    made.filter(({ route }) => (fixture.published.bodyOf(route)?.required ?? []).length > 0),
    async ({ route, sample }) => {
      const { status, body } = await callWith(route, { ...sample, body: {} })
      const named = (body.errors ?? []).map(
        ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
      )
      const wanted = (fixture.published.bodyOf(route)?.required ?? []).map((name) => `/${name} required`)
      return status === 400 && wanted.every((name) => named.includes(name)) ? [] : [`${nameOf(route)}: ${named}`]
    },
  )
  expect(faults.flat()).toEqual([])
  expect(await stateOf(fixture.t)).toEqual(before)
})

test('every route that changes a record refuses an outdated ETag with 412, and changes nothing', async () => {
  const records = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const changes = made.filter(({ route }) => ['PATCH', 'PUT'].includes(route.method) && records.has(route.path))
  expect(changes.map(({ route }) => shortNameOf(route))).toContain('PATCH /workspace')
  const known = await each(changes, async ({ route, sample }) => {
    const path = route.path.replace(/:\w+/, sample.id ?? '').replace(/:\w+/, sample.within ?? '')
    const at = (value: unknown) => [nameOf(route), value]
    const readEtag = async () => expectStatus(await sample.who.get(path), 200).headers.get('etag') ?? ''
    const etag = await readEtag()
    expect(at(etag)).toEqual(at(expect.stringMatching(/^"\d+"$/)))
    return { route, sample, at, readEtag, etag }
  })
  const before = await stateOf(fixture.t)
  await each(known, async ({ route, sample, etag }) => {
    for (const stale of ['"0"', `W/${etag}`, etag.replaceAll('"', '')])
      expectProblem(await callWith(route, sample, { 'if-match': stale }), 412, 'version_conflict')
  })
  expect(await stateOf(fixture.t)).toEqual(before)
  for (const { route, sample, at, readEtag } of known) {
    // A route before it may have changed the same record.
    const etag = await readEtag()
    const changed = expectStatus(await callWith(route, sample, { 'if-match': `"0", ${etag}` }), 200)
    expect(at(changed.headers.get('etag'))).not.toEqual(at(etag))
    expect(at(changed.headers.get('etag'))).toEqual(at(await readEtag()))
    expectProblem(await callWith(route, sample, { 'if-match': etag }), 412, 'version_conflict')
  }
})
