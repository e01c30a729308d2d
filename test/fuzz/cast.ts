import type { Role } from '../../server/lib/access.ts'
import { inTransaction } from '../../server/lib/database.ts'
import { scopes } from '../../server/lib/scopes.ts'
import { makeInstanceAdmin } from '../../server/modules/auth/auth.ts'
import { hashPassword } from '../../server/modules/auth/passwords.ts'
import type { TestApp } from '../app.ts'
import { expectStatus, openSession, PASSWORD, type Person } from '../factories.ts'
import type { Operation } from './document.ts'

/** Whose records somebody sees: those of the one workspace, of the other, or neither. */
export type Side = 'house' | 'next door' | 'nowhere'
export type Caller = { name: string; headers: Record<string, string>; side: Side; workspace_id: string | undefined }

export type Newcomer = Person & { headers: Record<string, string> }

const people = async (t: TestApp) => {
  const hash = await hashPassword(t.deps.auth, PASSWORD)
  let count = 0

  const newcomer = async ({ instanceAdmin = false } = {}): Promise<Newcomer> => {
    const email = `newcomer-${++count}@example.com`
    const id = await inTransaction(t.deps.db, async (tx) => {
      const user_id = await makeInstanceAdmin(tx, { email, name: `Newcomer ${count}`, passwordHash: hash })
      if (!instanceAdmin)
        await tx.updateTable('user').set({ is_instance_admin: false }).where('id', '=', user_id).execute()
      return user_id
    })
    const headers = await openSession(t, id)
    return { ...t.anyone.with(headers), headers, id, email }
  }
  const memberOf = async (workspace_id: string, role: Role) => {
    const person = await newcomer()
    await t.deps.db.insertInto('workspace_member').values({ workspace_id, user_id: person.id, role }).execute()
    return person
  }
  const ownerOfNew = async () => {
    const person = await newcomer()
    const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: `House ${++count}` }), 201)
    return { ...person, workspace_id: body.id as string, workspace_name: body.name as string }
  }
  return { newcomer, memberOf, ownerOfNew }
}

export type People = Awaited<ReturnType<typeof people>>

/** Everybody who calls: two workspaces that know nothing of each other, roles, tokens, and those without any right. */
async function newCast({ newcomer, memberOf, ownerOfNew }: People) {
  const owner = await ownerOfNew()
  const neighbour = await ownerOfNew()
  const house = { side: 'house', workspace_id: owner.workspace_id } as const
  const nowhere = { side: 'nowhere', workspace_id: undefined } as const

  const member = async (role: Role) => ({
    name: role,
    headers: (await memberOf(owner.workspace_id, role)).headers,
    ...house,
  })
  // One after the other: lists are in the order of creation, and another order would be other requests.
  const members = {
    admin: await member('admin'),
    editor: await member('editor'),
    author: await member('author'),
    viewer: await member('viewer'),
  }
  const bearer = async (name: string, input: object, place: Omit<Caller, 'name' | 'headers'> = house) => {
    const { body } = expectStatus(await owner.post('/api/v1/api-tokens', { name, ...input }), 201)
    return { name, headers: { authorization: `Bearer ${body.token}` }, ...place, id: body.id as string }
  }
  const revoked = await bearer('revoked token', { scopes: Object.keys(scopes) })
  expectStatus(await owner.delete(`/api/v1/api-tokens/${revoked.id}`), 204)

  const callers = {
    nobody: { name: 'nobody', headers: {}, ...nowhere },
    owner: { name: 'owner', headers: owner.headers, ...house },
    ...members,
    neighbour: {
      name: 'neighbour',
      headers: neighbour.headers,
      side: 'next door',
      workspace_id: neighbour.workspace_id,
    },
    boss: { name: 'instance admin', headers: (await newcomer({ instanceAdmin: true })).headers, ...nowhere },
    drifter: { name: 'drifter', headers: (await newcomer()).headers, ...nowhere },
    allScopes: await bearer('token with all scopes', { scopes: Object.keys(scopes) }),
    oneScope: await bearer('token with one scope', { scopes: ['posts:read'] }),
    noScope: await bearer('token without scopes', {}),
    unbound: await bearer('token for all workspaces', { team_id: null }),
    revoked,
    forged: {
      name: 'forged token',
      headers: { authorization: `Bearer ${revoked.headers.authorization.slice(7, -1)}x` },
      ...nowhere,
    },
    stale: { name: 'bad cookie', headers: { cookie: 'meydan.session_token=abc.def' }, ...nowhere },
  } satisfies Record<string, Caller>
  return { callers, owner, neighbour }
}

/** The cast, made anew whenever a request has made it unfit: an owner who deleted the workspace, a token revoked. */
export async function cast(t: TestApp) {
  const made = await people(t)
  let now = await newCast(made)

  /** Those who may call an operation, the likeliest first and more than once. */
  const fitFor = ({ access: { level, token }, path }: Operation): Caller[] => {
    const { callers } = now
    if (level === 'anyone') return [callers.nobody, callers.nobody, callers.owner]
    if (path.startsWith('/api/v1/public/')) return [callers.allScopes]
    if (level === 'instance_admin') return [callers.boss]
    const anyToken = token === false ? [] : [callers.unbound]
    if (level === 'user' || level === 'token') return [callers.owner, callers.drifter, callers.admin, ...anyToken]
    const higher = { viewer: [callers.viewer, callers.editor], author: [callers.author], editor: [callers.editor] }
    const others: Caller[] = level === 'owner' ? [] : [callers.admin, ...(level === 'admin' ? [] : higher[level])]
    const bound = token === undefined ? [callers.noScope] : []
    return [callers.owner, callers.owner, callers.neighbour, ...others, ...anyToken, ...bound]
  }
  const isFit = async () => {
    const { callers } = now
    const answers = await Promise.all(
      [
        callers.owner,
        callers.neighbour,
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
      t.anyone.get('/api/v1/admin/outbox?limit=1', callers.boss.headers),
      t.anyone.get('/api/v1/me', callers.drifter.headers),
      t.anyone.get('/api/v1/public/workspace', callers.allScopes.headers),
    ])
    return (
      answers.every(({ body }, index) => body.role === roles[index]) && others.every(({ status }) => status === 200)
    )
  }

  return {
    ...made,
    fitFor,
    everybody: () => Object.values(now.callers),
    current: () => now,
    /** Whether there are others now. */
    mend: async () => {
      if (await isFit()) return false
      now = await newCast(made)
      return true
    },
  }
}

export type Cast = Awaited<ReturnType<typeof cast>>
