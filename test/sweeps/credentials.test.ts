import { describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../../server/lib/http/scopes.ts'
import { testApp } from '../app.ts'
import type { Client } from '../client.ts'
import {
  changeRole,
  expectStatus,
  memberOf,
  PASSWORD,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { lasting, withCookies } from '../people.ts'
import { expectProblem } from '../problem.ts'
import {
  call,
  expectedForRole,
  expectedForToken,
  inWorkspace,
  isOpen,
  isPublic,
  nameOf,
  outcome,
  type Route,
  routesWithAccess,
  sweep,
} from '../routes.ts'
import { EVERY_CREDENTIAL, SEED } from '../torture/settings.ts'

const DAY = 86_400_000
const scopeNames = Object.keys(scopes) as Scope[]

const t = await testApp()
const routes = await routesWithAccess(t.deps)
const guarded = routes.filter((route) => !isOpen(route))
const forSessions = guarded.filter((route) => !isPublic(route))
const owner = await lasting(t, await withWorkspace(t))
const instanceAdmin = await lasting(t, await signedIn(t, { instanceAdmin: true }))

/** All credentials of a user. Each was used, so that the tests cover in-memory caches too. */
async function credentialsOf(person: WorkspaceOwner) {
  const bound = {
    scoped: await withToken(t, person, scopeNames),
    free: await withToken(t, person),
  }
  const unbound = {
    scoped: await withToken(t, person, scopeNames, { team_id: null }),
    free: await withToken(t, person, [], { team_id: null }),
  }
  for (const { scoped, free } of [bound, unbound]) {
    expectStatus(await scoped.get('/api/v1/public/posts'), 200)
    expectStatus(await free.get('/api/v1/posts'), 200)
  }
  expectStatus(await person.get('/api/v1/posts'), 200)
  return { session: person, bound, unbound }
}

/** Every route gets one of these clients, and every client an equal share of the routes. Torture sends all to all. */
const expectRefused = async (...clients: Client[]) => {
  const offset = SEED % clients.length
  for (const [index, who] of clients.entries())
    await sweep(
      guarded.filter((_, number) => EVERY_CREDENTIAL || (number + offset) % clients.length === index),
      who,
      '401 unauthenticated',
    )
}

const PARTS = 3
let turn = SEED
/**
 * A part of the routes, and another one at each call. `routes.test.ts` tries all of them with valid credentials, and
 * torture tries all here.
 */
function partOf(of: Route[]) {
  turn++
  return of.filter((_, index) => EVERY_CREDENTIAL || (index + turn) % PARTS === 0)
}

/** Checks that a user without workspaces can call only routes that need none. */
async function expectNoWorkspace({ session, bound, unbound }: Awaited<ReturnType<typeof credentialsOf>>) {
  await expectRefused(bound.scoped, bound.free)
  const outside = (route: Route, expected: string) =>
    inWorkspace(route) && expected === 'permitted' ? '409 workspace_required' : expected
  await sweep(partOf(forSessions), session, (route) => outside(route, expectedForRole(route, 'owner')))
  for (const [who, granted] of [
    [unbound.scoped, scopeNames],
    [unbound.free, []],
  ] as const)
    await sweep(partOf(guarded), who, (route) =>
      outside(route, expectedForToken(route, granted, 'owner', { bound: false })),
    )
  const there = { 'x-workspace-id': session.workspace_id }
  await sweep(partOf(forSessions.filter(inWorkspace)), session.with(there), '404 not_found', outcome)
  await sweep(
    partOf(routes.filter((route) => isPublic(route) && inWorkspace(route))),
    unbound.scoped.with(there),
    '404 not_found',
    outcome,
  )
}

const signIn = async (email: string) =>
  withCookies(t, expectStatus(await t.anyone.post('/api/auth/sign-in/email', { email, password: PASSWORD }), 200))

describe(`credentials that have ended (seed ${SEED})`, () => {
  test('a revoked token is refused by every route', async () => {
    const { bound, unbound } = await credentialsOf(owner)
    const tokens = [bound.scoped, bound.free, unbound.scoped, unbound.free]
    for (const { id } of tokens) expectStatus(await owner.delete(`/api/v1/api-tokens/${id}`), 204)
    await expectRefused(...tokens)
  })

  test('a token is refused by every route once it expires', async () => {
    const expires_at = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const scoped = await withToken(t, owner, scopeNames, { expires_at })
    const free = await withToken(t, owner, [], { expires_at })
    t.advance(59_999)
    await sweep(partOf(guarded), scoped, (route) => expectedForToken(route, scopeNames, 'owner'))
    await sweep(partOf(guarded), free, (route) => expectedForToken(route, [], 'owner'))
    t.advance(1)
    await expectRefused(scoped, free)
  })

  test('both secrets are accepted during the overlap of a rotation, and then the former one is refused by every route', async () => {
    const before = await withToken(t, owner, scopeNames)
    expectStatus(await before.get('/api/v1/public/posts'), 200)
    const { body } = expectStatus(
      await owner.post(`/api/v1/api-tokens/${before.id}/rotate`, { overlap_seconds: 60 }),
      200,
    )
    const after = t.anyone.with({ authorization: `Bearer ${body.token}` })
    t.advance(59_999)
    for (const token of [before, after])
      await sweep(partOf(guarded), token, (route) => expectedForToken(route, scopeNames, 'owner'))
    t.advance(1)
    await expectRefused(before)
    await sweep(partOf(guarded), after, (route) => expectedForToken(route, scopeNames, 'owner'))
    expectStatus(await owner.post(`/api/v1/api-tokens/${before.id}/rotate`, { overlap_seconds: 0 }), 200)
    await expectRefused(after)
  })

  test('all credentials of a banned user are refused by every route, and only tokens work again after unbanning', async () => {
    const { session, bound, unbound } = await credentialsOf(await memberOf(t, owner.workspace_id, 'owner'))
    expectStatus(await instanceAdmin.post(`/api/v1/admin/users/${session.id}/ban`, {}), 200)
    await expectRefused(session, bound.scoped, bound.free, unbound.scoped, unbound.free)
    expectStatus(await instanceAdmin.post(`/api/v1/admin/users/${session.id}/unban`), 200)
    await expectRefused(session)
    await sweep(partOf(guarded), bound.scoped, (route) => expectedForToken(route, scopeNames, 'owner'))
  })

  test('all credentials of a deleted user are refused by every route', async () => {
    const { session, bound, unbound } = await credentialsOf(await memberOf(t, owner.workspace_id, 'owner'))
    expectStatus(await session.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 204)
    await expectRefused(session, bound.scoped, bound.free, unbound.scoped, unbound.free)
  })

  test('an ended session is refused by every route, ended by the user elsewhere or by signing out', async () => {
    const person = await memberOf(t, owner.workspace_id, 'owner')
    const [listed, other, leaving] = [
      await signIn(person.email),
      await signIn(person.email),
      await signIn(person.email),
    ]
    for (const one of [listed, other, leaving]) expectStatus(await one.get('/api/v1/posts'), 200)
    expectStatus(await leaving.post('/api/auth/sign-out'), 200)
    const sessions = expectStatus(await listed.get('/api/v1/me/sessions'), 200).body.data
    const { id } = sessions.find(({ current }: { current: boolean }) => current)
    expectStatus(await person.delete(`/api/v1/me/sessions/${id}`), 204)
    await expectRefused(listed, leaving)
    expectStatus(await person.delete('/api/v1/me/sessions'), 204)
    await expectRefused(other)
    expectStatus(await person.get('/api/v1/posts'), 200)
  })

  test('a session of another installation is refused by every route', async () => {
    const elsewhere = await testApp({ SECRET_KEY: 'the secret key of another installation' })
    try {
      const foreign = await signedIn(elsewhere)
      const { headers } = await elsewhere.anyone.post('/api/auth/sign-in/email', {
        email: foreign.email,
        password: PASSWORD,
      })
      await expectRefused(withCookies(t, { headers }))
    } finally {
      await elsewhere.close()
    }
  })
})

describe('workspaces that a user has lost', () => {
  test('a member who was removed or left gets nothing of the workspace from any route', async () => {
    for (const leaves of [false, true]) {
      const credentials = await credentialsOf(await memberOf(t, owner.workspace_id, 'owner'))
      const { session } = credentials
      expectStatus(await (leaves ? session : owner).delete(`/api/v1/workspace/members/${session.id}`), 204)
      await expectNoWorkspace(credentials)
    }
  })

  test('a deleted workspace is closed to all credentials on every route until it is restored', async () => {
    const person = await withWorkspace(t)
    const credentials = await credentialsOf(person)
    const { name } = (await person.get('/api/v1/workspace')).body
    expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    await expectNoWorkspace(credentials)
    expectStatus(await person.post(`/api/v1/workspaces/${person.workspace_id}/restore`), 200)
    await sweep(partOf(forSessions), person, (route) => expectedForRole(route, 'owner'))
    await sweep(partOf(guarded), credentials.bound.scoped, (route) => expectedForToken(route, scopeNames, 'owner'))
  })
})

test('a changed role applies to the next call, for sessions and tokens', async () => {
  const member = await memberOf(t, owner.workspace_id, 'owner')
  const { session, bound, unbound } = await credentialsOf(member)
  for (const role of ['viewer', 'editor'] as const) {
    expectStatus(await owner.patch(`/api/v1/workspace/members/${member.id}`, { role }), 200)
    await sweep(partOf(forSessions), session, (route) => expectedForRole(route, role))
    await sweep(partOf(guarded), bound.scoped, (route) => expectedForToken(route, scopeNames, role))
    await sweep(partOf(guarded), bound.free, (route) => expectedForToken(route, [], role))
    await sweep(partOf(guarded), unbound.scoped, (route) => expectedForToken(route, scopeNames, role, { bound: false }))
  }
})

test('a feature outside the plan gets 403 with its name, after the check of the role, and other routes stay the same', async () => {
  const bare = await testApp({}, { plan: [] })
  try {
    const own = await withWorkspace(bare)
    const admin = await memberOf(bare, own.workspace_id, 'admin')
    const viewer = await memberOf(bare, own.workspace_id, 'owner')
    const [free, viewerToken] = [await withToken(bare, admin), await withToken(bare, viewer)]
    await changeRole(bare, viewer, 'viewer')
    const tried = (of: Route[]) => [
      ...of.filter(({ access }) => access.feature),
      ...partOf(of.filter(({ access }) => !access.feature)),
    ]
    const expected = (route: Route, otherwise: string) =>
      route.access.feature && otherwise === 'permitted' ? '403 feature_not_available' : otherwise
    await sweep(tried(forSessions), own, (route) => expected(route, expectedForRole(route, 'owner')))
    await sweep(tried(forSessions), admin, (route) => expected(route, expectedForRole(route, 'admin')))
    await sweep(tried(forSessions), viewer, (route) => expected(route, expectedForRole(route, 'viewer')))
    await sweep(tried(guarded), free, (route) => expected(route, expectedForToken(route, [], 'admin')))
    await sweep(tried(guarded), viewerToken, (route) => expected(route, expectedForToken(route, [], 'viewer')))
    await sweep(tried(guarded), bare.anyone, '401 unauthenticated')
    const gated = forSessions.filter(({ access }) => access.feature)
    expect(gated.map(nameOf)).toContain('GET /api/v1/workspace/audit-log')
    for (const route of gated) {
      const feature = route.access.feature
      expect(expectProblem(await call(admin, route), 403, 'feature_not_available').feature).toBe(feature)
    }
  } finally {
    await bare.close()
  }
})

test('a session is refused by every route once it expires', async () => {
  const person = await withWorkspace(t)
  expectStatus(await person.get('/api/v1/posts'), 200)
  t.advance(31 * DAY)
  await expectRefused(person)
})
