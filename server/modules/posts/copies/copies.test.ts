import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
} from '../../../../test/factories.ts'
import { download, noise, uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webhookReceiver } from '../../../../test/receiver.ts'
import { bucketServer } from '../../../../test/stand-ins/bucket.ts'
import { anotherWorkspace, withTwoWorkspaces } from '../../../../test/workspaces.ts'
import { newWebhookSecret } from '../../../lib/crypto/webhook-signature.ts'
import { eraseStoredFiles } from '../../media/storage/erasure.ts'
import { planCalls } from '../../usage/quotas.fixture.ts'

const t = await testApp()
const receiver = await webhookReceiver()
afterAll(receiver.close)
const boss = await signedIn(t, { instanceAdmin: true })
const { newPlan, put } = planCalls(() => ({ t, boss }))

type Caller = Pick<WorkspaceOwner, 'post' | 'get'>
const channelOf = async (who: Caller): Promise<string> => {
  const form = { network: 'http', url: receiver.url, secret: newWebhookSecret() }
  return expectStatus(await who.post('/api/v1/accounts', form), 201).body.id
}
const created = async (who: Caller, fields: object) =>
  expectStatus(await who.post('/api/v1/posts', { content: 'Hello', ...fields }), 201).body
const copy = (who: Caller, id: string, workspace_id: string) => who.post(`/api/v1/posts/${id}/copy`, { workspace_id })
const copied = async (who: Caller, id: string, workspace_id: string) =>
  expectStatus(await copy(who, id, workspace_id), 201).body
const posts = async (who: Caller) => expectStatus(await who.get('/api/v1/posts'), 200).body.data
const library = async (who: Caller) => expectStatus(await who.get('/api/v1/media'), 200).body.data
const audited = async (who: Caller, action: string) =>
  expectStatus(await who.get(`/api/v1/workspace/audit-log?action=${action}`), 200).body.data
const storedFolders = async (workspace_id: string) =>
  new Set((await Array.fromAsync(t.deps.storage.list(workspace_id))).map(({ key }) => key.split('/')[1]))

describe('a copy of a post in another workspace', () => {
  test('is a draft with the texts, thread, first comment, labels and the accounts that are the same on their network', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const [channel, playground] = [await channelOf(here), await playgroundAccount(here)]
    const same = await channelOf(there)
    await playgroundAccount(there)
    const post = await created(here, {
      content: 'By @[Bakery](urn:li:organization:501)',
      thread: [{ content: 'Two' }],
      first_comment: 'More',
      labels: ['spring'],
      scheduled_at: new Date(t.clock.now().getTime() + 3600_000).toISOString(),
      targets: [
        { account_id: channel, content: 'For the channel' },
        { account_id: playground, content: 'For nobody' },
      ],
    })
    const { body, headers } = expectStatus(await copy(here, post.id, there.workspace_id), 201)
    expect(headers.get('etag')).toBeNull()
    expect(body).toMatchObject({
      workspace_id: there.workspace_id,
      left_out_accounts: [{ account_id: playground, network: 'playground', left_out_fields: ['content'] }],
      left_out_media_ids: [],
    })
    const read = expectStatus(await there.get(`/api/v1/posts/${body.post.id}`), 200).body
    expect(read).toEqual(body.post)
    expect(read).toMatchObject({
      content: 'By @[Bakery](urn:li:organization:501)',
      thread: [{ content: 'Two', media_ids: [] }],
      first_comment: 'More',
      labels: ['spring'],
      status: 'draft',
      scheduled_at: null,
      review: 'none',
      author_id: post.author_id,
    })
    expect(read.targets).toHaveLength(1)
    expect(read.targets[0]).toMatchObject({ account_id: same, content: 'For the channel' })
    expectProblem(await here.get(`/api/v1/posts/${body.post.id}`), 404, 'not_found')
  })

  test('can be made of a published post, and without any of its accounts', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const post = await created(here, { account_ids: [await playgroundAccount(here)], publish_now: true })
    await t.runJobs()
    const { post: made } = await copied(here, post.id, there.workspace_id)
    expect(made).toMatchObject({ status: 'draft', published_at: null, targets: [] })
  })

  test('of an idea is an idea', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const idea = await created(here, { is_idea: true })
    expect((await copied(here, idea.id, there.workspace_id)).post).toMatchObject({ is_idea: true, status: 'draft' })
  })

  test('is audited in both workspaces, and its event goes to the other one only', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const { id } = await created(here, {})
    const eventsOf = async (who: Caller) =>
      expectStatus(await who.get('/api/v1/events'), 200).body.data.map(({ type }: { type: string }) => type)
    const before = await eventsOf(here)
    const { post } = await copied(here, id, there.workspace_id)
    expect(await eventsOf(here)).toEqual(before)
    expect(await eventsOf(there)).toContain('post.created')
    expect(await audited(here, 'post.copied')).toMatchObject([
      { target_id: id, details: { workspace_id: there.workspace_id, post_id: post.id } },
    ])
    expect(await audited(there, 'post.created')).toMatchObject([
      { target_id: post.id, details: { copied_from: { workspace_id: here.workspace_id, post_id: id } } },
    ])
  })

  test('is made once for an Idempotency-Key, and no longer shown to who has left the other workspace', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const author = await memberOf(t, here.workspace_id, 'author')
    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: there.workspace_id, user_id: author.id, role: 'author' })
      .execute()
    const { id } = await created(here, { media_ids: [(await uploaded(here)).id] })
    const keyed = author.with({ 'x-workspace-id': here.workspace_id, 'idempotency-key': randomUUID() })
    const [first, again] = [await copied(keyed, id, there.workspace_id), await copied(keyed, id, there.workspace_id)]
    expect(again).toEqual(first)
    expect(await posts(there)).toHaveLength(1)
    expectStatus(await there.delete(`/api/v1/workspace/members/${author.id}`), 204)
    expectProblem(await copy(keyed, id, there.workspace_id), 404, 'not_found')
  })
})

describe('files of a copied post', () => {
  test.each(['folder', 'bucket'])(
    'are copied in the %s, with names, alternative texts and thumbnails',
    async (kind) => {
      const bucket = kind === 'bucket' ? await bucketServer() : undefined
      const node = bucket ? await testApp({ STORAGE_URL: bucket.url }) : t
      const { here, there } = await withTwoWorkspaces(node)
      const bytes = await noise(60, 50)
      const fields: [string, string][] = [
        ['alt', 'A simit'],
        ['labels', 'menu'],
      ]
      const [one, two] = [await uploaded(here, { bytes, fields }), await uploaded(here)]
      const post = await created(here, {
        media_ids: [one.id],
        thread: [{ content: 'Two', media_ids: [two.id, one.id] }],
      })
      const { post: made } = await copied(here, post.id, there.workspace_id)
      expect(made.thread[0].media_ids).toHaveLength(2)
      expect(made.thread[0].media_ids[1]).toBe(made.media_ids[0])
      const file = expectStatus(await there.get(`/api/v1/media/${made.media_ids[0]}`), 200).body
      expect(file).toMatchObject({ name: one.name, alt: 'A simit', labels: ['menu'], sha256: one.sha256, width: 60 })
      expect(file.id).not.toBe(one.id)
      expect((await download(there, file.url)).bytes.equals(bytes)).toBe(true)
      expect((await download(there, file.thumbnail_url)).headers.get('content-type')).toBe('image/webp')
      // Nothing is shared: the copy stays when the original is erased.
      expectStatus(await here.delete(`/api/v1/posts/${post.id}`), 204)
      expectStatus(await here.delete(`/api/v1/media/${one.id}?permanent=true`), 204)
      await eraseStoredFiles(node.deps)
      expect((await download(there, file.url)).bytes.equals(bytes)).toBe(true)
      expectProblem(await here.get(`/api/v1/media/${file.id}`), 404, 'not_found')
      if (bucket) {
        await node.close()
        await bucket.close()
      }
    },
  )

  test('that the other workspace has are used as they are, and restored if they were deleted', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const bytes = await noise(30, 30)
    const [file, known] = [await uploaded(here, { bytes }), await uploaded(there, { bytes, fields: [['alt', 'Ours']] })]
    expectStatus(await there.delete(`/api/v1/media/${known.id}`), 204)
    const { id } = await created(here, { media_ids: [file.id] })
    const { post } = await copied(here, id, there.workspace_id)
    expect(post.media_ids).toEqual([known.id])
    expect(await library(there)).toMatchObject([{ id: known.id, alt: 'Ours' }])
    expect((await storedFolders(there.workspace_id)).size).toBe(1)
  })

  test('are copied once by copies made at once', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const { id } = await created(here, { media_ids: [(await uploaded(here)).id] })
    const made = await atOnce(4, () => copy(here, id, there.workspace_id))
    for (const response of made) expectStatus(response, 201)
    const [file] = await library(there)
    expect(await library(there)).toHaveLength(1)
    for (const { body } of made) expect(body.post.media_ids).toEqual([file.id])
    await eraseStoredFiles(t.deps)
    expect([...(await storedFolders(there.workspace_id))]).toEqual([file.id])
  })

  test('that were deleted, or are missing in the storage, are left out and named', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const [kept, deleted, lost] = [await uploaded(here), await uploaded(here), await uploaded(here)]
    const { id } = await created(here, {
      media_ids: [kept.id, deleted.id],
      thread: [{ content: '', media_ids: [lost.id] }],
    })
    await t.deps.db.updateTable('media').set({ deleted_at: t.clock.now() }).where('id', '=', deleted.id).execute()
    await t.deps.storage.erase(`${here.workspace_id}/${lost.id}`)
    const { post, left_out_media_ids } = await copied(here, id, there.workspace_id)
    expect(post).toMatchObject({ media_ids: [expect.any(String)], thread: [{ media_ids: [] }] })
    expect(left_out_media_ids.toSorted()).toEqual([deleted.id, lost.id].toSorted())
    await eraseStoredFiles(t.deps)
    expect((await storedFolders(there.workspace_id)).size).toBe(1)
  })

  test('count for the storage of the other workspace, and a copy without room for them leaves nothing', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
    onTestFinished(async () => {
      expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: false }), 200)
    })
    await put(there.workspace_id, await newPlan({ storage_mb: 1 }))
    const [first, second] = [await uploaded(here, { bytes: await noise(450, 450) }), await uploaded(here)]
    const large = await uploaded(here, { bytes: await noise(460, 460) })
    const { id } = await created(here, { media_ids: [first.id] })
    await copied(here, id, there.workspace_id)
    const before = await posts(there)
    const full = await created(here, { media_ids: [second.id, large.id] })
    expectProblem(await copy(here, full.id, there.workspace_id), 403, 'limit_exceeded')
    expect(await posts(there)).toEqual(before)
    expect(await library(there)).toHaveLength(1)
    await eraseStoredFiles(t.deps)
    expect((await storedFolders(there.workspace_id)).size).toBe(1)
  })

  test('that were copied when the process died, or whose post was refused, are erased', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const file = await uploaded(here)
    const { id } = await created(here, { media_ids: [file.id] })
    const folder = `${there.workspace_id}/${randomUUID()}`
    // What a process that died after copying has left.
    await t.deps.storage.copy(`${here.workspace_id}/${file.id}/original`, `${folder}/original`)
    await t.deps.db.insertInto('storage_erasure').values({ folder, due_at: t.clock.now() }).execute()
    const { copy: copyStored } = t.deps.storage
    t.deps.storage.copy = async (from, to) => {
      await copyStored(from, to)
      const member = { workspace_id: there.workspace_id, user_id: (await here.get('/api/v1/me')).body.id }
      await t.deps.db
        .deleteFrom('workspace_member')
        .where('workspace_id', '=', member.workspace_id)
        .where('user_id', '=', member.user_id)
        .execute()
    }
    try {
      expectProblem(await copy(here, id, there.workspace_id), 404, 'not_found')
    } finally {
      t.deps.storage.copy = copyStored
    }
    await eraseStoredFiles(t.deps)
    expect(await storedFolders(there.workspace_id)).toEqual(new Set())
  })
})

describe('copying is refused', () => {
  test('for a post or workspace that the caller does not see, with the response for one that does not exist', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const stranger = await withTwoWorkspaces(t)
    const { id } = await created(here, {})
    for (const workspace_id of [stranger.here.workspace_id, randomUUID()])
      expectProblem(await copy(here, id, workspace_id), 404, 'not_found')
    expectProblem(await copy(stranger.here, id, stranger.there.workspace_id), 404, 'not_found')
    expectProblem(await copy(there, id, here.workspace_id), 404, 'not_found')
    const { name } = expectStatus(await there.get('/api/v1/workspace'), 200).body
    expectStatus(await there.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    expectProblem(await copy(here, id, there.workspace_id), 404, 'not_found')
  })

  test('into its own workspace, and for who is no author in the other', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const { id } = await created(here, {})
    const own = await copy(here, id, here.workspace_id.toUpperCase())
    expectProblem(own, 400, 'validation_failed', '/workspace_id')
    const viewer = await memberOf(t, there.workspace_id, 'viewer')
    const { workspace_id } = await anotherWorkspace(viewer)
    const mine = viewer.with({ 'x-workspace-id': workspace_id })
    const post = await created(mine, {})
    expectProblem(await copy(mine, post.id, there.workspace_id), 403, 'forbidden_role')
  })

  test('for a token that is bound to a workspace, and files need the scope media:write', async () => {
    const { here, there } = await withTwoWorkspaces(t)
    const plain = await created(here, {})
    const { id } = await created(here, { media_ids: [(await uploaded(here)).id] })
    const path = (post: string) => `/api/v1/public/posts/${post}/copy`
    const body = { workspace_id: there.workspace_id }
    const inHere = { 'x-workspace-id': here.workspace_id }
    const tokenOf = async (scopes: string[], more: object = {}) =>
      (await withToken(t, here, scopes, { team_id: null, ...more })).with(inHere)
    const bound = await tokenOf(['posts:write', 'media:write'], { team_id: here.workspace_id })
    expectProblem(await bound.post(path(plain.id), body), 404, 'not_found')
    const writer = await tokenOf(['posts:write'])
    expectStatus(await writer.post(path(plain.id), body), 201)
    expectProblem(await writer.post(path(id), body), 403, 'insufficient_scope')
    expectStatus(await (await tokenOf(['posts:write', 'media:write'])).post(path(id), body), 201)
    expectProblem(await (await tokenOf(['posts:read'])).post(path(plain.id), body), 403, 'insufficient_scope')
  })
})
