import type { Role } from '../../server/lib/http/roles.ts'
import { scopes } from '../../server/lib/http/scopes.ts'
import type { TestApp } from '../app.ts'
import { expectStatus, type Person, signedIn } from '../factories.ts'
import type { Operation } from './document.ts'

/** The workspace whose records a caller sees: the owner's, the other one, or none. */
export type Tenant = 'own' | 'other' | 'none'
export type Caller = { name: string; headers: Record<string, string>; tenant: Tenant; workspace_id: string | undefined }

export type NewUser = Person & { headers: Record<string, string> }

const userFactory = (t: TestApp) => {
  let count = 0

  /** Addresses and names are in order of creation, so that a seed repeats its requests. */
  const newUser = ({ instanceAdmin = false } = {}): Promise<NewUser> =>
    signedIn(t, { instanceAdmin, email: `newcomer-${++count}@example.com`, name: `NewUser ${count}` })
  const memberOf = async (workspace_id: string, role: Role) => {
    const person = await newUser()
    await t.deps.db.insertInto('workspace_member').values({ workspace_id, user_id: person.id, role }).execute()
    return person
  }
  const newOwner = async () => {
    const person = await newUser()
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: `House ${++count}` }), 201)
    return { ...person, workspace_id: body.id as string, workspace_name: body.name as string }
  }
  return { newUser, memberOf, newOwner }
}

type UserFactory = ReturnType<typeof userFactory>

/** Creates all callers: two separate workspaces, all roles, tokens, and callers without permissions. */
async function makeCallers({ newUser, memberOf, newOwner }: UserFactory) {
  const owner = await newOwner()
  const otherOwner = await newOwner()
  const own = { tenant: 'own', workspace_id: owner.workspace_id } as const
  const outside = { tenant: 'none', workspace_id: undefined } as const

  const member = async (role: Role) => ({
    name: role,
    headers: (await memberOf(owner.workspace_id, role)).headers,
    ...own,
  })
  // Sequentially: lists are in order of creation, and another order would change the requests.
  const members = {
    admin: await member('admin'),
    editor: await member('editor'),
    author: await member('author'),
    viewer: await member('viewer'),
  }
  const bearer = async (name: string, input: object, place: Omit<Caller, 'name' | 'headers'> = own) => {
    const { body } = expectStatus(await owner.post('/api/v1/api-tokens', { name, ...input }), 201)
    return { name, headers: { authorization: `Bearer ${body.token}` }, ...place, id: body.id as string }
  }
  const revoked = await bearer('revoked token', { scopes: Object.keys(scopes) })
  expectStatus(await owner.delete(`/api/v1/api-tokens/${revoked.id}`), 204)

  const callers = {
    nobody: { name: 'nobody', headers: {}, ...outside },
    owner: { name: 'owner', headers: owner.headers, ...own },
    ...members,
    otherOwner: {
      name: 'otherOwner',
      headers: otherOwner.headers,
      tenant: 'other',
      workspace_id: otherOwner.workspace_id,
    },
    instanceAdmin: { name: 'instance admin', headers: (await newUser({ instanceAdmin: true })).headers, ...outside },
    withoutWorkspace: { name: 'withoutWorkspace', headers: (await newUser()).headers, ...outside },
    allScopes: await bearer('token with all scopes', { scopes: Object.keys(scopes) }),
    oneScope: await bearer('token with one scope', { scopes: ['posts:read'] }),
    noScope: await bearer('token without scopes', {}),
    unbound: await bearer('token for all workspaces', { team_id: null }),
    revoked,
    forged: {
      name: 'forged token',
      headers: { authorization: `Bearer ${revoked.headers.authorization.slice(7, -1)}x` },
      ...outside,
    },
    stale: { name: 'bad cookie', headers: { cookie: 'meydan.session_token=abc.def' }, ...outside },
  } satisfies Record<string, Caller>
  return { callers, owner, otherOwner }
}

/** The callers. All are replaced after a request made one unusable: a deleted workspace, a revoked token. */
export async function callerPool(t: TestApp) {
  const made = userFactory(t)
  let now = await makeCallers(made)

  /** The permitted callers of an operation, likeliest first; some repeat. */
  const allowedCallers = ({ access: { level, token }, path }: Operation): Caller[] => {
    const { callers } = now
    if (level === 'anyone') return [callers.nobody, callers.nobody, callers.owner]
    if (path.startsWith('/api/v1/public/')) return [callers.allScopes]
    if (level === 'instance_admin') return [callers.instanceAdmin]
    const anyToken = token === false ? [] : [callers.unbound]
    if (level === 'user' || level === 'token')
      return [callers.owner, callers.withoutWorkspace, callers.admin, ...anyToken]
    const higher = { viewer: [callers.viewer, callers.editor], author: [callers.author], editor: [callers.editor] }
    const others: Caller[] = level === 'owner' ? [] : [callers.admin, ...(level === 'admin' ? [] : higher[level])]
    const bound = token === undefined ? [callers.noScope] : []
    return [callers.owner, callers.owner, callers.otherOwner, ...others, ...anyToken, ...bound]
  }
  const isFit = async () => {
    const { callers } = now
    const responses = await Promise.all(
      [
        callers.owner,
        callers.otherOwner,
        callers.admin,
        callers.editor,
        callers.author,
        callers.viewer,
        callers.noScope,
        callers.unbound,
      ].map(({ headers, workspace_id = '' }) =>
        t.anyone.get('/api/v1/workspace', { ...headers, 'x-workspace-id': workspace_id }),
      ),
    )
    const roles = ['owner', 'owner', 'admin', 'editor', 'author', 'viewer', 'owner', 'owner']
    const others = await Promise.all([
      t.anyone.get('/api/v1/admin/outbox?limit=1', callers.instanceAdmin.headers),
      t.anyone.get('/api/v1/me', callers.withoutWorkspace.headers),
      t.anyone.get('/api/v1/public/workspace', callers.allScopes.headers),
    ])
    return (
      responses.every(({ body }, index) => body.role === roles[index]) && others.every(({ status }) => status === 200)
    )
  }

  return {
    ...made,
    allowedCallers,
    allCallers: () => Object.values(now.callers),
    current: () => now,
    /** Returns whether the callers were replaced. */
    replaceUnfit: async () => {
      if (await isFit()) return false
      now = await makeCallers(made)
      return true
    },
  }
}

export type CallerPool = Awaited<ReturnType<typeof callerPool>>
