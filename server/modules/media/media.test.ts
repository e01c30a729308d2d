import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { testImage, upload, uploaded } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { eraseDeletedWorkspaces } from '../workspaces/deletion.ts'
import { eraseDeletedMedia } from './deletion.ts'
import { eraseStoredFiles } from './storage/erasure.ts'

const DAY = 24 * 3600_000

const t = await testApp()
const owner = await withWorkspace(t)

const idsOf = async (who: WorkspaceOwner, query = '') =>
  expectStatus(await who.get(`/api/v1/media${query}`), 200).body.data.map(({ id }: { id: string }) => id)
const isStored = (who: WorkspaceOwner, id: string) =>
  access(join(t.deps.config.DATA_DIR, 'files', who.workspace_id, id, 'original')).then(
    () => true,
    () => false,
  )

describe('GET /media', () => {
  test('200 newest first, filtered by kind and label, page by page', async () => {
    const who = await withWorkspace(t)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await uploaded(who, { fields: [['labels', n % 2 ? 'odd' : 'even']] })).id)
    expect(await idsOf(who)).toEqual(ids)
    expect(await idsOf(who, '?kind=image&label=odd')).toEqual([ids[1], ids[3]])
    expect(await idsOf(who, '?kind=video')).toEqual([])
    const first = expectStatus(await who.get('/api/v1/media?limit=2&kind=image'), 200).body
    const second = await who.get(`/api/v1/media?limit=3&kind=image&cursor=${first.next_cursor}`)
    expect([...first.data, ...second.body.data].map(({ id }) => id)).toEqual(ids)
    expect(second.body.next_cursor).toBeNull()
  })

  test('a search finds words of name, alternative text and labels, without accents', async () => {
    const who = await withWorkspace(t)
    const { id } = await uploaded(who, {
      name: 'Şölen.png',
      fields: [
        ['alt', 'Öğrenciler at a table'],
        ['labels', 'Nisan'],
      ],
    })
    await uploaded(who)
    for (const search of ['solen', 'ogrenci tabl', 'NISAN png'])
      expect(await idsOf(who, `?search=${search}`)).toEqual([id])
    expect(await idsOf(who, '?search=sol%25n')).toEqual([])
  })

  test('a record has the address of its file for the way it was read', async () => {
    const { id } = await uploaded(owner)
    const token = await withToken(t, owner, ['media:read'])
    const { body } = expectStatus(await token.get(`/api/v1/public/media/${id}`), 200)
    expect(body.url).toBe(`/api/v1/public/media/${id}/file`)
    expect(body.thumbnail_url).toBe(`/api/v1/public/media/${id}/thumbnail`)
    expect((await owner.get(`/api/v1/media/${id}`)).body.url).toBe(`/api/v1/media/${id}/file`)
  })
})

describe('PATCH /media/:id', () => {
  test('200 with the new texts, and 412 for an outdated version', async () => {
    const { id } = await uploaded(owner)
    const before = await owner.get(`/api/v1/media/${id}`)
    const changes = { alt: 'A tray', name: 'tray.png', labels: ['oven'] }
    expect(expectStatus(await owner.patch(`/api/v1/media/${id}`, changes), 200).body).toMatchObject(changes)
    const etag = before.headers.get('etag') ?? ''
    expectProblem(await owner.patch(`/api/v1/media/${id}`, { alt: '' }, { 'if-match': etag }), 412, 'version_conflict')
  })

  test('400 for an alternative text of more than 2000 characters, and for a name of two lines', async () => {
    const { id } = await uploaded(owner)
    for (const [field, value] of [
      ['alt', 'x'.repeat(2001)],
      ['name', 'a\nb'],
    ] as const)
      expectProblem(await owner.patch(`/api/v1/media/${id}`, { [field]: value }), 400, 'validation_failed', `/${field}`)
  })

  test('authors change and delete what they uploaded, editors everything, viewers nothing', async () => {
    const [author, editor, viewer] = [
      await memberOf(t, owner.workspace_id, 'author'),
      await memberOf(t, owner.workspace_id, 'editor'),
      await memberOf(t, owner.workspace_id, 'viewer'),
    ]
    const [own, other] = [await uploaded(author), await uploaded(owner)]
    expectStatus(await author.patch(`/api/v1/media/${own.id}`, { alt: 'Mine' }), 200)
    expectProblem(await author.patch(`/api/v1/media/${other.id}`, { alt: 'Mine' }), 403, 'forbidden_role')
    expectProblem(await author.delete(`/api/v1/media/${other.id}`), 403, 'forbidden_role')
    expectStatus(await editor.patch(`/api/v1/media/${own.id}`, { alt: 'Ours' }), 200)
    expectProblem(await viewer.patch(`/api/v1/media/${own.id}`, { alt: 'Mine' }), 403, 'forbidden_role')
    expectProblem(await upload(viewer, await testImage()), 403, 'forbidden_role')
    expectStatus(await viewer.get(`/api/v1/media/${own.id}`), 200)
    expectStatus(await author.delete(`/api/v1/media/${own.id}`), 204)
  })
})

describe('DELETE /media/:id', () => {
  test('204, and the file can be restored for a day', async () => {
    const who = await withWorkspace(t)
    const { id } = await uploaded(who)
    expectStatus(await who.delete(`/api/v1/media/${id}`), 204)
    expectProblem(await who.get(`/api/v1/media/${id}`), 404, 'not_found')
    expectProblem(await who.get(`/api/v1/media/${id}/file`), 404, 'not_found')
    expect(await idsOf(who)).toEqual([])
    expect(await idsOf(who, '/deleted')).toEqual([id])
    expectStatus(await who.post(`/api/v1/media/${id}/restore`), 200)
    expectProblem(await who.post(`/api/v1/media/${id}/restore`), 409, 'invalid_transition')
    expect(await idsOf(who)).toEqual([id])
  })

  test('a day later the record and its file are erased', async () => {
    const elsewhere = await testApp()
    try {
      const who = await withWorkspace(elsewhere)
      const { id } = await uploaded(who)
      const files = join(elsewhere.deps.config.DATA_DIR, 'files', who.workspace_id, id)
      await access(files)
      expectStatus(await who.delete(`/api/v1/media/${id}`), 204)
      elsewhere.advance(DAY + 1)
      expectProblem(await who.post(`/api/v1/media/${id}/restore`), 404, 'not_found')
      await eraseDeletedMedia(elsewhere.deps)
      await eraseStoredFiles(elsewhere.deps)
      await expect(access(files)).rejects.toThrow('ENOENT')
    } finally {
      await elsewhere.close()
    }
  })

  test('204 with permanent erases the file at once, also one that was deleted', async () => {
    const who = await withWorkspace(t)
    const { id } = await uploaded(who)
    expect(await isStored(who, id)).toBe(true)
    expectStatus(await who.delete(`/api/v1/media/${id}`), 204)
    expectStatus(await who.delete(`/api/v1/media/${id}?permanent=true`), 204)
    expectProblem(await who.post(`/api/v1/media/${id}/restore`), 404, 'not_found')
    await t.runJobs()
    expect(await isStored(who, id)).toBe(false)
  })

  test('409 names the posts that use the file', async () => {
    const { id } = await uploaded(owner)
    const post_id = randomUUID()
    const uses = t.deps.lifecycle.mediaUses
    uses.push(async (_, ids) => (ids.includes(id) ? [{ media_id: id, post_id }] : []))
    try {
      const { post_ids } = expectProblem(await owner.delete(`/api/v1/media/${id}`), 409, 'media_in_use')
      expect(post_ids).toEqual([post_id])
      expect((await owner.get(`/api/v1/media/${id}/uses`)).body).toEqual({
        post_ids: [post_id],
        approved_posts: 0,
        gig_ids: [],
        order_ids: [],
        recurring_post_ids: [],
      })
    } finally {
      uses.pop()
    }
  })

  test('a workspace that is erased leaves no file', async () => {
    const elsewhere = await testApp()
    try {
      const who = await withWorkspace(elsewhere)
      const { id } = await uploaded(who)
      const { name } = (await who.get('/api/v1/workspace')).body
      expectStatus(await who.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
      elsewhere.advance(60 * DAY)
      await eraseDeletedWorkspaces(elsewhere.deps)
      await eraseStoredFiles(elsewhere.deps)
      const rows = await elsewhere.deps.db.selectFrom('media').select('id').execute()
      expect(rows).toEqual([])
      const files = join(elsewhere.deps.config.DATA_DIR, 'files', who.workspace_id, id)
      await expect(access(files)).rejects.toThrow('ENOENT')
    } finally {
      await elsewhere.close()
    }
  })
})

test('the export of a user lists the files that the user uploaded', async () => {
  const { id } = await uploaded(owner)
  const { body } = expectStatus(await owner.get('/api/v1/me/export'), 200)
  expect(body.media.map((row: { id: string }) => row.id)).toContain(id)
})

test('the files of another workspace are not found', async () => {
  const { id } = await uploaded(owner)
  const stranger = await withWorkspace(t)
  for (const path of ['', '/file', '/thumbnail', '/uses'])
    expectProblem(await stranger.get(`/api/v1/media/${id}${path}`), 404, 'not_found')
  expectProblem(await (await signedIn(t)).get(`/api/v1/media/${id}/file`), 404, 'not_found')
})

test('every change is in the audit log', async () => {
  const who = await withWorkspace(t)
  const { id } = await uploaded(who)
  await who.patch(`/api/v1/media/${id}`, { alt: 'A tray' })
  await who.delete(`/api/v1/media/${id}`)
  await who.post(`/api/v1/media/${id}/restore`)
  await who.delete(`/api/v1/media/${id}?permanent=true`)
  const { data } = expectStatus(await who.get('/api/v1/workspace/audit-log'), 200).body
  const actions = data.filter((row: { target_id: string }) => row.target_id === id)
  expect(actions.map(({ action }: { action: string }) => action)).toEqual([
    'media.erased',
    'media.restored',
    'media.deleted',
    'media.updated',
    'media.uploaded',
  ])
})
