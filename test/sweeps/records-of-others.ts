import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readyAgent } from '../agents.ts'
import type { ApiResponse } from '../client.ts'
import { each } from '../each.ts'
import { expectStatus, playgroundAccount } from '../factories.ts'
import { newGig } from '../gigs.ts'
import { uploaded } from '../media.ts'
import { notifiedOwner } from '../notifications.ts'
import { expectProblem } from '../problem.ts'
import { queuedPosts } from '../queue.ts'
import { inWorkspace, isPublic, nameOf, type Route } from '../routes.ts'
import { callWith, sampleFor } from './calls.ts'
import { stateOf } from './database-state.ts'
import type { Schema } from './document.ts'
import type { Fixture } from './fixture.ts'
import { commentedPost } from './resources.ts'
import type { Sweep } from './sweep.ts'

/** The content of a response without parts that differ from call to call. */
function comparable({ status, headers, body }: ApiResponse, ids: string[]) {
  const text = ids.reduce((known, id) => known.replaceAll(id, 'the id'), JSON.stringify(body))
  const { request_id: _, ...rest } = JSON.parse(text)
  const shown = [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length', 'ratelimit'].includes(name))
  return { status, headers: shown, body: rest }
}

const somebodyElse = (fixture: Fixture, route: Route) => (isPublic(route) ? fixture.strangerToken : fixture.stranger)

/** Finds the places of ids in a body. */
function idsIn(fixture: Fixture, schema: Schema, path: string[] = []): string[][] {
  const { properties = {}, items, pattern } = fixture.published.named(schema)
  if (pattern?.startsWith('^[0-9a-fA-F]{8}')) return [path]
  if (items) return idsIn(fixture, items, [...path, '0'])
  return Object.entries(properties).flatMap(([name, property]) => idsIn(fixture, property, [...path, name]))
}
const bodyWith = ([name, ...rest]: string[], id: string): unknown =>
  name === undefined ? id : name === '0' ? [bodyWith(rest, id)] : { [name]: bodyWith(rest, id) }

export function testRecordsOfOthers(now: () => Sweep) {
  test('a record of another workspace or user gets the response of an unknown one from every route, and nothing changes', async () => {
    // Instance admins may access all records; an invitation's token is itself the credential.
    const { fixture, preparedOnce } = now()
    const withId = preparedOnce.filter(
      ({ route }) =>
        route.path.includes(':id') &&
        (inWorkspace(route) || route.access.level === 'user') &&
        // Everyone sees what is reported.
        !route.path.endsWith('/report'),
    )
    expect(withId.length).toBeGreaterThan(30)
    const before = await stateOf(fixture.t)
    await each(withId, async ({ route, sample: { id = '', within, query, body } }) => {
      const at = (value: unknown) => [nameOf(route), value]
      const [who, nothing] = [somebodyElse(fixture, route), randomUUID()]
      for (const more of route.method === 'GET' ? [undefined] : [body, {}]) {
        const call = (id: string) =>
          callWith(route, { who, id, ...(within && { within }), ...(query && { query }), ...(more && { body: more }) })
        const responses = [await call(id), await call(id.toUpperCase()), await call(nothing)]
        const [foreign, upper, absent] = responses.map((response) =>
          comparable(response, [id, id.toUpperCase(), nothing]),
        )
        if (more === body) expect(at(absent)).toMatchObject(at({ status: 404, body: { code: 'not_found' } }))
        expect(at(foreign)).toEqual(at(absent))
        expect(at(upper)).toEqual(at(absent))
      }
    })
    expect(await stateOf(fixture.t)).toEqual(before)
  })

  test('a route that reads a record returns the one with these ids, and its owner gets 404 for any other', async () => {
    const { fixture, preparedOnce } = now()
    const readers = preparedOnce.filter(
      ({ route }) =>
        route.method === 'GET' &&
        route.path.includes(':id') &&
        (inWorkspace(route) || route.access.level === 'user' || fixture.published.isFile(route)),
    )
    expect(readers.length).toBeGreaterThan(30)
    await each(readers, async ({ route, sample: one }) => {
      const at = (value: unknown) => [nameOf(route), value]
      const isNested = route.path.split(':').length > 2
      const two = await sampleFor(fixture, route)
      const [first, second] = [await callWith(route, one), await callWith(route, two)]
      if (fixture.published.isFile(route)) expect(first.body, nameOf(route)).not.toEqual(second.body)
      else if (first.body.id !== undefined) expect(at(first.body.id)).toEqual(at(isNested ? one.within : one.id))
      const unknown: (typeof one)[] = [{ ...one, id: randomUUID() }]
      if (isNested) unknown.push({ ...one, within: two.within ?? '' }, { ...one, within: randomUUID() })
      for (const ids of unknown)
        expect(at((await callWith(route, ids)).body)).toMatchObject(at({ status: 404, code: 'not_found' }))
    })
  })

  test("the id of another workspace's record in a body is refused like an unknown one", async () => {
    const { fixture, preparedOnce } = now()
    const { owner, stranger } = fixture
    const makers: Record<string, () => Promise<string> | string> = {
      account_ids: () => playgroundAccount(owner),
      account_group_ids: async () =>
        expectStatus(await owner.post('/api/v1/account-groups', { name: randomUUID() }), 201).body.id,
      targets: () => playgroundAccount(owner),
      media_ids: async () => (await uploaded(owner)).id,
      sample_media: async () => (await uploaded(owner)).id,
      // Not public.
      gig_id: async () => expectStatus(await owner.post('/api/v1/marketplace/gigs', newGig), 201).body.id,
      agent_id: async () => (await readyAgent(owner)).id,
      media_id: async () => (await uploaded(owner)).id,
      picture_id: async () => (await uploaded(owner)).id,
      thread: async () => (await uploaded(owner)).id,
      post_id: async () => (await queuedPosts(owner)).posts[0] ?? '',
      before: async () => (await queuedPosts(owner)).posts[0] ?? '',
      parent_id: async () => (await commentedPost(fixture)).within,
      message_id: () => randomUUID(),
      // Models belong to the installation.
      model_id: () => randomUUID(),
      posts: async () => (await uploaded(owner)).id,
      steps: () => owner.id,
      until: () => notifiedOwner(fixture.t, owner.workspace_id),
      team_id: () => owner.workspace_id,
      workspace_id: () => owner.workspace_id,
    }
    // An ETTN is the id of a document elsewhere. Instance admins may access all records.
    const found = preparedOnce
      .filter(({ route: { access } }) => access.level !== 'instance_admin')
      .flatMap(({ route, sample }) =>
        idsIn(fixture, fixture.published.bodyOf(route) ?? {}).flatMap((path) =>
          path[0] === 'ettn' ? [] : [{ route, sample, path }],
        ),
      )
    expect(found.length).toBeGreaterThan(6)
    const places: { place: string; foreign: string; post: string; call: (id: string) => Promise<ApiResponse> }[] = []
    for (const { route, sample, path } of found) {
      const place = `${nameOf(route)} ${path.join('/')}`
      // Variants of a recurring post have the fields of a post.
      const make = makers[(path[0] === 'variants' ? path[2] : path[0]) ?? '']
      if (!make) throw new Error(`Tell this test how to make an id for ${place}`)
      const foreign = await make()
      const post = expectStatus(await stranger.post('/api/v1/posts', { content: 'Mine' }), 201).body.id
      const { body = {} } = sample
      const { account_ids: _, ...rest } = body as { account_ids?: unknown }
      const call = (id: string) =>
        callWith(route, {
          who: somebodyElse(fixture, route),
          id: post,
          body: { ...rest, ...(bodyWith(path, id) as object) },
        })
      places.push({ place, foreign, post, call })
    }
    const before = await stateOf(fixture.t)
    await each(places, async ({ place, foreign, post, call }) => {
      const nothing = randomUUID()
      const first = comparable(await call(foreign), [foreign, post])
      const second = comparable(await call(nothing), [nothing, post])
      expect([place, first.status]).toEqual([
        place,
        // A validation lists it as a problem.
        expect.toSatisfy(
          (status: number) => [400, 404].includes(status) || (status === 200 && place.includes('/validate ')),
        ),
      ])
      expect([place, first]).toEqual([place, second])
    })
    expect(await stateOf(fixture.t)).toEqual(before)
  })

  test("the id of another workspace's record in a query finds what an unknown one finds", async () => {
    const { owner, stranger } = now().fixture
    const account = await playgroundAccount(owner)
    await owner.post('/api/v1/posts', { content: 'Hello', account_ids: [account] })
    for (const query of ['/posts?account_id=', '/workspace/audit-log?actor=']) {
      for (const id of [account, owner.id, randomUUID()]) {
        const { body } = expectStatus(await stranger.get(`/api/v1${query}${id}`), 200)
        expect([query, body]).toEqual([query, { data: [], next_cursor: null }])
      }
    }
  })
}

export function testInvitations(now: () => Sweep) {
  test('the token of an invitation works only for its recipient, and a replaced one gets the response of an unknown one', async () => {
    const { fixture, routes } = now()
    const accept = routes.find((route) => route.path === '/api/v1/invitations/:token/accept')
    const resend = routes.find((route) => route.path === '/api/v1/workspace/invitations/:id/resend')
    if (!accept || !resend) throw new Error('There are no invitations')
    const { id: token = '', who } = await sampleFor(fixture, accept)
    const before = await stateOf(fixture.t)
    for (const other of [fixture.stranger, fixture.admin])
      expectProblem(await callWith(accept, { who: other, id: token }), 403, 'forbidden_role')
    expect(await stateOf(fixture.t)).toEqual(before)
    const nothing = randomBytes(32).toString('base64url')
    const { email } = expectStatus(await who.get('/api/v1/me'), 200).body
    const { data } = expectStatus(
      await fixture.owner.get('/api/v1/workspace/invitations?state=pending&limit=100'),
      200,
    ).body
    const { id } = data.find((invitation: { email: string }) => invitation.email === email)
    expectStatus(await callWith(resend, { who: fixture.owner, id }), 200)
    for (const method of ['GET', 'POST'] as const) {
      const path = (token: string) => `/api/v1/invitations/${token}${method === 'POST' ? '/accept' : ''}`
      const responses = [await who.call(method, path(token)), await who.call(method, path(nothing))]
      const [void_, absent] = responses.map((response) => comparable(response, [token, nothing]))
      expect(void_).toEqual(absent)
      expect(absent?.status).toBe(404)
    }
  })
}
