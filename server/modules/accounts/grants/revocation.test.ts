import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { connectByOAuth, setUpApp, signInAtNetwork } from '../../../../test/network-accounts.ts'
import { facebookServer } from '../../../../test/stand-ins/facebook.ts'
import type { Call, NetworkServer } from '../../../../test/stand-ins/server.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { eraseDeletedWorkspaces } from '../../workspaces/deletion.ts'
import { deleteOldReleases } from './revocation.ts'

const HOUR = 3600_000

let x: Awaited<ReturnType<typeof xServer>>
let facebook: Awaited<ReturnType<typeof facebookServer>>
const t = await testApp()
beforeEach(async () => {
  x?.close()
  facebook?.close()
  x = await xServer()
  facebook = await facebookServer()
  Object.assign(t.deps.config.NETWORK_ORIGINS, { x: x.url, facebook: facebook.url })
  await setUpApp(t, 'x', x.oauth)
  await setUpApp(t, 'facebook', facebook.oauth)
  await t.deps.db.deleteFrom('oauth_grant').execute()
})

async function connected(network: string) {
  const owner = await withWorkspace(t)
  const { account_ids } = await connectByOAuth(owner, network)
  return { owner, accounts: account_ids.map(String) as string[] }
}

const disconnect = async (owner: WorkspaceOwner, id = '') =>
  expectStatus(await owner.delete(`/api/v1/accounts/${id}`), 204)

/** Runs jobs until none is left to retry. */
async function runAll() {
  for (let attempt = 0; attempt < 12; attempt++) {
    await t.runJobs()
    t.advance(HOUR)
  }
}

const isRevocation = ({ method, path }: Call) =>
  path.endsWith('/revoke') || (method === 'DELETE' && path.endsWith('/permissions'))
const revocations = ({ calls }: NetworkServer) => calls.filter(isRevocation)
const grants = () => t.deps.db.selectFrom('oauth_grant').select(['id', 'released_at', 'tokens']).execute()

describe('a sign-in that no account uses any more', () => {
  test('is revoked at the network with both tokens, once, and its tokens are deleted', async () => {
    const { owner, accounts } = await connected('x')
    const [grant] = x.oauth.grants
    await disconnect(owner, accounts[0])
    expect((await grants()).length).toBe(1)
    await runAll()
    expect(grant?.ended).toBe(true)
    expect(revocations(x).map(({ fields }) => fields)).toEqual([
      { token: grant?.refresh, token_type_hint: 'refresh_token' },
      { token: grant?.access, token_type_hint: 'access_token' },
    ])
    expect(await grants()).toEqual([])
  })

  test('has no token in the payload of its job', async () => {
    const { owner, accounts } = await connected('x')
    await disconnect(owner, accounts[0])
    const [grant] = await grants()
    const { rows } = await sql<{ payload: object }>`select payload from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = task_id where identifier = 'revoke-grant'`.execute(
      t.deps.db,
    )
    expect(rows).toEqual([{ payload: { grant_id: grant?.id } }])
    await runAll()
  })

  test('is revoked only with its last account', async () => {
    facebook.addPage()
    facebook.addPage()
    const { owner, accounts } = await connected('facebook')
    await disconnect(owner, accounts[0])
    await runAll()
    expect(revocations(facebook)).toEqual([])
    await disconnect(owner, accounts[1])
    await runAll()
    expect(revocations(facebook).map(({ path }) => path)).toEqual([`/v26.0/${facebook.idOf('ada')}/permissions`])
    expect([facebook.oauth.grants[0]?.ended, await grants()]).toEqual([true, []])
  })

  test('is not revoked while the same person publishes at another network with the same app', async () => {
    facebook.addPage({ instagram: { id: '17841400000000001', username: 'bakery' } })
    await setUpApp(t, 'instagram_facebook', facebook.oauth)
    const page = await connected('facebook')
    const linked = await connected('instagram_facebook')
    await disconnect(linked.owner, linked.accounts[0])
    await runAll()
    expect([revocations(facebook), (await grants()).length]).toEqual([[], 1])
    await disconnect(page.owner, page.accounts[0])
    await runAll()
    expect([revocations(facebook).length, await grants()]).toEqual([1, []])
  })

  test('is revoked when its last two accounts are disconnected at once', async () => {
    facebook.addPage()
    facebook.addPage()
    const { owner, accounts } = await connected('facebook')
    await Promise.all(accounts.map((id) => disconnect(owner, id)))
    await runAll()
    expect([revocations(facebook).length, await grants()]).toEqual([1, []])
  })

  test('is revoked when its workspace is erased', async () => {
    const { owner } = await connected('x')
    await t.deps.db
      .updateTable('workspace')
      .set({ deleted_at: new Date(0) })
      .where('id', '=', owner.workspace_id)
      .execute()
    await eraseDeletedWorkspaces(t.deps)
    await runAll()
    expect([x.oauth.grants[0]?.ended, await grants()]).toEqual([true, []])
  })

  test('is not revoked when the account is connected again, nor when the network has ended it', async () => {
    const { owner, accounts } = await connected('x')
    await connectByOAuth(owner, 'x')
    await runAll()
    expect([revocations(x), (await grants()).length]).toEqual([[], 1])
    await t.deps.db.updateTable('oauth_grant').set({ ended_at: t.clock.now() }).execute()
    await disconnect(owner, accounts[0])
    await runAll()
    expect([revocations(x), await grants()]).toEqual([[], []])
  })
})

describe('a revocation that fails', () => {
  test('keeps no account, is tried again, and is given up', async () => {
    const { owner, accounts } = await connected('x')
    x.failAlways({ kind: 'response', status: 503 })
    await disconnect(owner, accounts[0])
    expect((await owner.get(`/api/v1/accounts/${accounts[0]}`)).status).toBe(404)
    await t.runJobs()
    expect((await grants()).length).toBe(1)
    await runAll()
    expect([revocations(x).length, await grants()]).toEqual([8, []])
  })

  test('is repeated until the network responds', async () => {
    const { owner, accounts } = await connected('x')
    x.failAlways({ kind: 'hang_up', arrives: false })
    await disconnect(owner, accounts[0])
    await t.runJobs()
    x.failAlways()
    await runAll()
    expect([x.oauth.grants[0]?.ended, await grants()]).toEqual([true, []])
  })

  test('is given up after a day if the last attempt died', async () => {
    const { owner, accounts } = await connected('x')
    await disconnect(owner, accounts[0])
    await sql`delete from graphile_worker._private_jobs`.execute(t.deps.db)
    t.advance(23 * HOUR)
    await deleteOldReleases(t.deps)
    expect((await grants()).length).toBe(1)
    t.advance(2 * HOUR)
    await deleteOldReleases(t.deps)
    expect(await grants()).toEqual([])
  })

  test('is over when the network no longer knows the tokens', async () => {
    const { owner, accounts } = await connected('x')
    x.oauth.endGrants()
    x.oauth.endAccess()
    await disconnect(owner, accounts[0])
    await t.runJobs()
    expect([revocations(x).length, await grants()]).toEqual([2, []])
  })

  test('a network whose app was replaced is not asked: the tokens belong to another one', async () => {
    const { owner, accounts } = await connected('x')
    await setUpApp(t, 'x', { client: { ...x.oauth.client, client_id: 'another-app' } })
    await disconnect(owner, accounts[0])
    await t.runJobs()
    expect([revocations(x), await grants()]).toEqual([[], []])
  })

  test('waits for a renewal, and revokes the renewed tokens', async () => {
    const { owner, accounts } = await connected('x')
    const leased_until = new Date(t.clock.now().getTime() + 60_000)
    await t.deps.db.updateTable('oauth_grant').set({ leased_until }).execute()
    await disconnect(owner, accounts[0])
    await t.runJobs()
    expect(revocations(x)).toEqual([])
    await runAll()
    expect([revocations(x).length, await grants()]).toEqual([2, []])
  })
})

describe('a network that ends all sign-ins of a person at once', () => {
  beforeEach(() => {
    facebook.addPage()
  })

  test('is asked only when no workspace has a sign-in of the person', async () => {
    const [first, second] = [await connected('facebook'), await connected('facebook')]
    facebook.oauth.signInAs('grace')
    const other = await connected('facebook')
    await disconnect(first.owner, first.accounts[0])
    await runAll()
    expect(revocations(facebook)).toEqual([])
    expectStatus(await second.owner.post(`/api/v1/accounts/${second.accounts[0]}/check`), 200)
    await disconnect(second.owner, second.accounts[0])
    await runAll()
    expect(revocations(facebook).map(({ path }) => path)).toEqual([`/v26.0/${facebook.idOf('ada')}/permissions`])
    const { status } = (await other.owner.post(`/api/v1/accounts/${other.accounts[0]}/check`)).body
    expect(status).toBe('connected')
  })

  test('is not asked when a sign-in of an unknown person exists, or the own one is unknown', async () => {
    const [known, unknown] = [await connected('facebook'), await connected('facebook')]
    await t.deps.db
      .updateTable('oauth_grant')
      .set({ external_user_id: null })
      .where('workspace_id', '=', unknown.owner.workspace_id)
      .execute()
    for (const { owner, accounts } of [known, unknown]) {
      await disconnect(owner, accounts[0])
      await runAll()
    }
    expect([revocations(facebook), await grants()]).toEqual([[], []])
  })

  test('is not asked while the person chooses among the accounts of another sign-in', async () => {
    const { owner, accounts } = await connected('facebook')
    facebook.addPage()
    const { callback } = await signInAtNetwork(owner, 'facebook')
    expectStatus(await owner.get(callback), 303)
    await disconnect(owner, accounts[0])
    await runAll()
    expect([revocations(facebook), await grants()]).toEqual([[], []])
  })
})
