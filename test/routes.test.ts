import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Role, roles } from '../server/lib/access.ts'
import { grants, type Scope, scopes } from '../server/lib/scopes.ts'
import { type TestApp, testApp } from './app.ts'
import type { Answer, Client } from './client.ts'
import {
  changeRole,
  expectStatus,
  memberOf,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from './factories.ts'
import { withoutIds } from './problem.ts'
import { type RegisteredRoute, registeredRoutes } from './routes.ts'

type Token = Awaited<ReturnType<typeof withToken>>
type Route = RegisteredRoute & { access: NonNullable<RegisteredRoute['access']> }

let t: TestApp
let routes: Route[]
let owner: WorkspaceOwner
let members: Record<Role, Person>
let roleTokens: Record<Role, Token>
let stranger: WorkspaceOwner
let strangerToken: Token
let instanceAdmin: Person
const scopeNames = Object.keys(scopes) as Scope[]

beforeAll(async () => {
  t = await testApp()
  routes = (await registeredRoutes(t.deps)).map((route) => {
    if (!route.access) throw new Error(`${route.path} has no declared access`)
    return { ...route, access: route.access }
  })
  owner = await withWorkspace(t)
  const entries = await Promise.all(
    roles.map(async (role) => {
      // A token cannot have more than its maker's role; so the role is given afterwards, and counts at each call.
      const person = await memberOf(t, owner.workspace_id, 'owner')
      const token = await withToken(t, person, scopeNames)
      await changeRole(t, person, role)
      return [role, person, token] as const
    }),
  )
  const byRole = <T>(of: (entry: (typeof entries)[number]) => T) =>
    Object.fromEntries(entries.map((entry) => [entry[0], of(entry)])) as Record<Role, T>
  members = byRole(([, person]) => person)
  roleTokens = byRole(([, , token]) => token)
  stranger = await withWorkspace(t)
  strangerToken = await withToken(t, stranger, scopeNames)
  instanceAdmin = await signedIn(t, { instanceAdmin: true })
})
afterAll(() => t.close())

const inWorkspace = (route: Route) => (roles as readonly string[]).includes(route.access.level)
const isOpen = (route: Route) => route.access.level === 'anyone'
const isPublic = (route: Route) => route.mount === 'public'
const name = ({ method, path }: Route) => `${method} ${path}`

/** Calls a route with an id of nothing and an empty body: past the checks of access nothing can happen. */
const call = (who: Client, { method, path }: Route, id: string = randomUUID(), body?: object) =>
  who.call(method, path.replace(/:\w+/g, id), method === 'GET' ? {} : { body: body ?? {} })

const outcome = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`.trim()
/** 'let in' when access was no reason for the answer. */
const verdict = (answer: Answer) =>
  answer.status === 401 || answer.status === 403 || answer.status >= 500 ? outcome(answer) : 'let in'

/** Tries every route that `wanted` picks, and fails with a list of those that did not answer as expected. */
async function sweep(wanted: (route: Route) => boolean, who: Client, expected: (route: Route) => string) {
  const tried = routes.filter(wanted)
  expect(tried.length).toBeGreaterThan(0)
  const wrong: string[] = []
  for (const route of tried) {
    const got = verdict(await call(who, route))
    if (got !== expected(route)) wrong.push(`${name(route)}: ${got} instead of ${expected(route)}`)
  }
  expect(wrong).toEqual([])
}

test('the table of routes and who may call them is as reviewed', async () => {
  const lines = routes.map((route) => {
    const { level, scope, token } = route.access
    const tokens = isOpen(route)
      ? ''
      : isPublic(route)
        ? ` ${scope}`
        : token === false
          ? ' no-token'
          : ` ${token ?? ''}-token`.replace(' -', ' ')
    return `${name(route)} → ${level}${tokens}\n`
  })
  expect(new Set(lines).size).toBe(lines.length)
  await expect(lines.sort().join('')).toMatchFileSnapshot('routes.snapshot.txt')
})

test('a route is mounted under /public exactly when it has a scope, with the same access', () => {
  const published = routes.filter(isPublic)
  expect(published.map((route) => [name(route).replace('/public/', '/'), route.access])).toEqual(
    routes.filter((route) => route.access.scope && !isPublic(route)).map((route) => [name(route), route.access]),
  )
  for (const route of published) expect(route.path).toMatch(/^\/api\/v1\/public\//)
})

describe('nobody', () => {
  test('gets 401 from all but the open routes', async () => {
    await sweep(
      () => true,
      t.anyone,
      (route) => (isOpen(route) ? 'let in' : '401 unauthenticated'),
    )
  })

  test('gets one and the same 401, and before anything else is looked at', async () => {
    const bodies = new Set<string>()
    for (const route of routes.filter((route) => !isOpen(route))) {
      const answer = await t.anyone.call(route.method, route.path.replace(/:\w+/g, 'no-id'), {
        ...(route.method !== 'GET' && { body: '{not json' }),
        headers: { 'x-workspace-id': 'nowhere' },
      })
      bodies.add(JSON.stringify(withoutIds(answer)))
    }
    expect(bodies.size).toBe(1)
  })
})

describe('a member with a session', () => {
  test.each(roles)('as %s gets 403 forbidden_role exactly from what is above that role', async (role) => {
    // The open routes do not ask who calls, and one of them would end the session.
    await sweep(
      (route) => !isPublic(route) && !isOpen(route),
      members[role],
      ({ access: { level } }) => {
        if (level === 'instance_admin') return '403 forbidden_role'
        if (level === 'user') return 'let in'
        return roles.indexOf(role) < roles.indexOf(level as Role) ? '403 forbidden_role' : 'let in'
      },
    )
  })

  test('gets 401 from everything under /public', async () => {
    await sweep(isPublic, members.owner, () => '401 unauthenticated')
  })
})

describe('a member with a token of every scope', () => {
  test.each(roles)('as %s gets 403 forbidden_role exactly from what is above that role', async (role) => {
    await sweep(isPublic, roleTokens[role], ({ access: { level } }) =>
      roles.indexOf(role) < roles.indexOf(level as Role) ? '403 forbidden_role' : 'let in',
    )
  })
})

describe('a token of the owner', () => {
  test.each(scopeNames)('with the scope %s opens what asks for it, and nothing else', async (scope) => {
    const token = await withToken(t, owner, [scope])
    await sweep(isPublic, token, ({ access }) =>
      grants([scope], access.scope as Scope) ? 'let in' : '403 insufficient_scope',
    )
    await sweep(
      (route) => !isPublic(route) && !isOpen(route),
      token,
      () => '403 token_not_accepted',
    )
  })

  test('without scopes opens what does not insist on a session', async () => {
    const bound = await withToken(t, owner)
    const unbound = await withToken(t, owner, [], { team_id: null })
    for (const token of [bound, unbound]) {
      await sweep(isPublic, token, () => '403 insufficient_scope')
      const shutOut = token === bound ? [false, 'unbound'] : [false]
      await sweep(
        (route) => !isPublic(route),
        token,
        ({ access }) => (shutOut.includes(access.token ?? '') ? '403 token_not_accepted' : 'let in'),
      )
    }
  })

  test('that is revoked opens nothing', async () => {
    for (const scopes of [[], scopeNames]) {
      const token = await withToken(t, owner, scopes)
      expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
      await sweep(
        (route) => !isOpen(route),
        token,
        () => '401 unauthenticated',
      )
    }
  })
})

describe('an instance admin', () => {
  test('administers the instance, and sees into no workspace', async () => {
    await sweep(
      (route) => ['instance_admin', 'user'].includes(route.access.level),
      instanceAdmin,
      () => 'let in',
    )
    for (const route of routes.filter((route) => inWorkspace(route) && !isPublic(route))) {
      expect([name(route), outcome(await call(instanceAdmin, route))]).toEqual([name(route), '409 workspace_required'])
      const named = await call(instanceAdmin.with({ 'x-workspace-id': owner.workspace_id }), route)
      expect([name(route), outcome(named)]).toEqual([name(route), '404 not_found'])
    }
  })

  test('with a token without scopes does not', async () => {
    expectStatus(await instanceAdmin.post('/api/v1/workspaces', { name: 'Of the admin' }), 201)
    await sweep(
      (route) => route.access.level === 'instance_admin',
      await withToken(t, instanceAdmin),
      () => '403 token_not_accepted',
    )
  })
})

describe('a member of another workspace', () => {
  /** Ids in the workspace of `owner`, by the part of the path before the id. */
  const idsOf: Record<string, () => Promise<string>> = {
    posts: async () => expectStatus(await owner.post('/api/v1/posts', { content: 'Hello' }), 201).body.id,
    accounts: () => playgroundAccount(owner),
    playground: async () => {
      const post = { content: 'Hello', account_ids: [await playgroundAccount(owner)], publish_now: true }
      const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
      await t.runJobs()
      return (await owner.get(`/api/v1/posts/${body.id}`)).body.targets[0].external_id
    },
    webhooks: async () =>
      expectStatus(await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] }), 201).body.id,
    'api-tokens': async () => (await withToken(t, owner, ['posts:read'])).id,
  }
  /** What passes validation, for the routes that need a body. */
  const bodies: Record<string, object> = { 'PATCH /posts/:id': { content: 'Changed' } }

  test('gets 404 for its ids, the same as for an id of nothing, and changes nothing', async () => {
    const withId = routes.filter((route) => inWorkspace(route) && route.path.includes(':id'))
    expect(withId.length).toBeGreaterThan(10)
    for (const route of withId) {
      const short = route.path.replace(/^\/api\/v1(\/public)?/, '')
      const resource = short.split('/')[1] ?? ''
      const create = idsOf[resource]
      if (!create) throw new Error(`Tell this test how to make an id for ${name(route)}`)
      const id = await create()
      const body = bodies[`${route.method} ${short}`]
      const who = isPublic(route) ? strangerToken : stranger
      const [foreign, absent] = [await call(who, route, id, body), await call(who, route, randomUUID(), body)]
      expect([name(route), outcome(absent)]).toEqual([name(route), '404 not_found'])
      expect(withoutIds(foreign)).toEqual(withoutIds(absent))
      const instances = [foreign, absent].map(({ body }) => body.instance.replace(/[0-9a-f-]{36}/, ''))
      expect(instances[0]).toBe(instances[1])

      const list = expectStatus(await owner.get(`/api/v1/${resource}?limit=100`), 200)
      const kept = list.body.data.find((row: { id: string }) => row.id === id)
      expect([name(route), kept?.id]).toEqual([name(route), id])
      expect(kept.revoked_at ?? null).toBeNull()
      expect(kept.content ?? 'Hello').toBe('Hello')
      expect(kept.status ?? 'draft').toMatch(/^(draft|connected)$/)
    }
  })

  test('gets 404 for that workspace in the header, by id and slug, from every route', async () => {
    const { slug } = (await owner.get('/api/v1/workspace')).body
    const freeToken = await withToken(t, stranger, scopeNames, { team_id: null })
    for (const route of routes.filter(inWorkspace)) {
      const who = isPublic(route) ? freeToken : stranger
      for (const workspace of [owner.workspace_id, slug, randomUUID()]) {
        const answer = await call(who.with({ 'x-workspace-id': workspace }), route)
        expect([name(route), outcome(answer)]).toEqual([name(route), '404 not_found'])
      }
    }
  })

  test('sees nothing of it in lists', async () => {
    expectStatus(await owner.post('/api/v1/posts', { content: 'Of the owner' }), 201)
    for (const route of routes.filter(
      (route) => route.method === 'GET' && inWorkspace(route) && !/:/.test(route.path),
    )) {
      const answer = await call(isPublic(route) ? strangerToken : stranger, route)
      expect(answer.status).toBe(200)
      const text = JSON.stringify(answer.body)
      for (const id of [owner.id, owner.workspace_id]) expect(text).not.toContain(id)
    }
  })
})
