import { describe, expect, test } from 'vitest'
import { type Role, roles } from '../server/lib/http/roles.ts'
import { type Scope, scopes } from '../server/lib/http/scopes.ts'
import { testApp } from './app.ts'
import { changeRole, expectStatus, memberOf, signedIn, withToken, withWorkspace } from './factories.ts'
import { withoutIds } from './problem.ts'
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
  verdict,
} from './routes.ts'
import { EVERY_CREDENTIAL, SEED } from './torture/settings.ts'

const scopeNames = Object.keys(scopes) as Scope[]

const t = await testApp()
const routes = await routesWithAccess(t.deps)
const guarded = routes.filter((route) => !isOpen(route))
const owner = await withWorkspace(t)
const entries = await Promise.all(
  roles.map(async (role) => {
    // A token cannot exceed its creator's role; so the role is changed afterwards, and counts at each call.
    const person = await memberOf(t, owner.workspace_id, 'owner')
    const tokens = { scoped: await withToken(t, person, scopeNames), free: await withToken(t, person) }
    await changeRole(t, person, role)
    return [role, person, tokens] as const
  }),
)
const byRole = <T>(of: (entry: (typeof entries)[number]) => T) =>
  Object.fromEntries(entries.map((entry) => [entry[0], of(entry)])) as Record<Role, T>
const members = byRole(([, person]) => person)
const roleTokens = byRole(([, , tokens]) => tokens)
const stranger = await withWorkspace(t)
const strangerToken = await withToken(t, stranger, scopeNames)
const instanceAdmin = await signedIn(t, { instanceAdmin: true })

test('the table of routes and their access is equal to the reviewed snapshot', async () => {
  const lines = routes.map((route) => {
    const { level, scope, token, subscription, feature } = route.access
    const tokens = isOpen(route)
      ? ''
      : isPublic(route)
        ? ` ${scope ?? 'any-scope'}`
        : token === false
          ? ' no-token'
          : ` ${token ?? ''}-token`.replace(' -', ' ')
    return `${nameOf(route)} → ${level}${tokens}${subscription ? ' subscribed' : ''}${feature ? ` if ${feature}` : ''}\n`
  })
  expect(new Set(lines).size).toBe(lines.length)
  await expect(lines.sort().join('')).toMatchFileSnapshot('routes.snapshot.txt')
})

test('a route is mounted under /public exactly when it has a scope or accepts any token, with the same access', () => {
  const published = routes.filter((route) => isPublic(route) && route.access.level !== 'token')
  expect(published.map((route) => [nameOf(route).replace('/public/', '/'), route.access])).toEqual(
    routes.filter((route) => route.access.scope && !isPublic(route)).map((route) => [nameOf(route), route.access]),
  )
  for (const route of routes) {
    if (route.access.level === 'token') expect(route.mount).toBe('public')
    if (isPublic(route)) expect(route.path).toMatch(/^\/api\/v1\/public\//)
  }
})

describe('requests without credentials', () => {
  test('requests without credentials get 401 from every route that is not open', async () => {
    await sweep(routes, t.anyone, (route) => (isOpen(route) ? 'permitted' : '401 unauthenticated'))
  })

  test('requests without credentials get the same 401 from every route, before any other check', async () => {
    const bodies = new Set<string>()
    for (const { method, path } of guarded) {
      const response = await t.anyone.call(method, path.replace(/:\w+/g, 'no-id'), {
        ...(method !== 'GET' && { body: '{not json' }),
        headers: { 'x-workspace-id': 'nowhere' },
      })
      bodies.add(JSON.stringify(withoutIds(response)))
    }
    expect(bodies.size).toBe(1)
  })
})

describe('members with a session', () => {
  test.each(roles)(
    'a session of the role %s gets 403 forbidden_role exactly from the routes above that role',
    async (role) => {
      // Open routes do not check the caller, and one of them would end the session.
      await sweep(
        guarded.filter((route) => !isPublic(route)),
        members[role],
        (route) => expectedForRole(route, role),
      )
    },
  )

  test('a session gets 401 from every route under /public', async () => {
    await sweep(routes.filter(isPublic), members.owner, '401 unauthenticated')
  })
})

describe('members with a token', () => {
  test.each(roles)(
    'a token of the role %s with every scope gets 403 exactly from the routes above that role',
    async (role) => {
      await sweep(guarded, roleTokens[role].scoped, (route) => expectedForToken(route, scopeNames, role))
    },
  )

  test.each(roles)(
    'a token of the role %s without scopes gets 403 exactly from the routes above that role',
    async (role) => {
      await sweep(guarded, roleTokens[role].free, (route) => expectedForToken(route, [], role))
    },
  )
})

describe(`tokens of an owner (seed ${SEED})`, () => {
  test.each(scopeNames)(
    'a token with the scope %s can call exactly the routes of that scope, and a refusal names the missing scope',
    async (scope) => {
      const token = await withToken(t, owner, [scope])
      // The other routes accept no token with a scope: each is tried with one of them, and torture tries all with all.
      const turn = (SEED + scopeNames.indexOf(scope)) % scopeNames.length
      const tried = guarded.filter(
        (route, index) => isPublic(route) || EVERY_CREDENTIAL || index % scopeNames.length === turn,
      )
      await sweep(
        tried,
        token,
        (route) => {
          const expected = expectedForToken(route, [scope], 'owner')
          return expected === '403 insufficient_scope' ? `${expected} ${route.access.scope}` : expected
        },
        (response, route) =>
          [verdict(response), response.status === 403 && isPublic(route) && response.body.scope]
            .filter(Boolean)
            .join(' '),
      )
    },
  )

  test('a token without scopes can call every route that accepts one, bound to a workspace or not', async () => {
    for (const bound of [true, false]) {
      const token = await withToken(t, owner, [], bound ? {} : { team_id: null })
      await sweep(guarded, token, (route) => expectedForToken(route, [], 'owner', { bound }))
    }
  })

  test('a token for all workspaces can call the same routes with its scopes', async () => {
    const token = await withToken(t, owner, scopeNames, { team_id: null })
    await sweep(guarded, token, (route) => expectedForToken(route, scopeNames, 'owner', { bound: false }))
  })
})

describe('instance admins', () => {
  test('an instance admin can call the admin routes and cannot read any workspace', async () => {
    await sweep(
      routes.filter((route) => !isPublic(route) && ['instance_admin', 'user'].includes(route.access.level)),
      instanceAdmin,
      'permitted',
    )
    const ofWorkspaces = routes.filter((route) => inWorkspace(route) && !isPublic(route))
    await sweep(ofWorkspaces, instanceAdmin, '409 workspace_required', outcome)
    await sweep(ofWorkspaces, instanceAdmin.with({ 'x-workspace-id': owner.workspace_id }), '404 not_found', outcome)
  })

  test('a token without scopes of an instance admin cannot call the admin routes', async () => {
    const admin = await signedIn(t, { instanceAdmin: true })
    expectStatus(await admin.post('/api/v1/workspaces', { name: 'Of the admin' }), 201)
    await sweep(
      routes.filter(({ access }) => access.level === 'instance_admin'),
      await withToken(t, admin),
      '403 token_not_accepted',
    )
  })
})

describe('members of another workspace', () => {
  test('a member of another workspace gets 404 for the workspace in the header, by id and slug, from every route', async () => {
    const { slug } = (await owner.get('/api/v1/workspace')).body
    const freeToken = await withToken(t, stranger, scopeNames, { team_id: null })
    for (const workspace of [owner.workspace_id, slug, 'no-workspace-at-all'])
      for (const [who, wanted] of [
        [freeToken, isPublic],
        [stranger, (route: Route) => !isPublic(route)],
      ] as const)
        await sweep(
          routes.filter((route) => inWorkspace(route) && wanted(route)),
          who.with({ 'x-workspace-id': workspace }),
          '404 not_found',
          outcome,
        )
  })

  test('a member of another workspace finds none of its records in lists', async () => {
    expectStatus(await owner.post('/api/v1/posts', { content: 'Of the owner' }), 201)
    for (const route of routes.filter(
      // These need a query. Previews read no records, and tests of statements cover other sellers.
      (route) =>
        route.method === 'GET' &&
        inWorkspace(route) &&
        !/:|link-preview|sources.find|change-plan|statement/.test(route.path),
    )) {
      const response = await call(isPublic(route) ? strangerToken : stranger, route)
      // These are single records, which the other workspace does not have.
      const isSingle = /\/(billing\/(subscription|payment-method)|payout-account)$/.test(route.path)
      expect([nameOf(route), response.status]).toEqual([nameOf(route), isSingle ? 404 : 200])
      const text = JSON.stringify(response.body)
      for (const id of [owner.id, owner.workspace_id]) expect(text).not.toContain(id)
    }
  })
})
