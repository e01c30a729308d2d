import { once } from 'node:events'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { noise, testImage } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { resumableFolder } from '../storage/temporary.ts'
import { eraseExpiredUploads } from './resumable.ts'

const DAY = 24 * 3600_000

let owner: WorkspaceOwner
const t = await testApp()
owner = await withWorkspace(t)
const person = await signedIn(t)
const cookie = person.headers.cookie
const values = { workspace_id: owner.workspace_id, user_id: person.id, role: 'author' as const }
await t.deps.db.insertInto('workspace_member').values(values).execute()
owner = { ...person, workspace_id: owner.workspace_id }

const tus = { 'tus-resumable': '1.0.0' }
const folder = resumableFolder(t.deps.config)
// As after a first upload.
await mkdir(folder, { recursive: true })
const received = () => readdir(folder)
const begin = (bytes: number | string, more: Record<string, string> = {}, who: WorkspaceOwner = owner) =>
  who.call('POST', '/api/v1/media/uploads', { headers: { ...tus, 'upload-length': String(bytes), ...more } })
const pathOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''
const append = (path: string, offset: number, bytes: Uint8Array) =>
  owner.send('PATCH', path, bytes, {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  })

/** Uploads with the client that pages use; returns the id of the file. */
const withClient = (file: Buffer, more: Partial<ConstructorParameters<typeof Upload>[1]> = {}) =>
  new Promise<string>((resolve, reject) => {
    let media_id = ''
    new Upload(file, {
      endpoint: `${t.url}/api/v1/media/uploads`,
      headers: { cookie },
      onAfterResponse: (_, response) => {
        media_id = response.getHeader('Upload-Media-Id') ?? media_id
      },
      onSuccess: () => resolve(media_id),
      onError: reject,
      ...more,
    }).start()
  })

const idOf = (path: string) => path.split('/').at(-1) ?? ''

describe('resumable uploads', () => {
  test('a client uploads a file in chunks, and it becomes a record with the given fields', async () => {
    const before = await received()
    const file = await noise(300, 300)
    const metadata = { filename: 'şimit.png', alt: 'A tray', labels: 'one, two' }
    const id = await withClient(file, { chunkSize: 100_000, metadata })
    const { body } = expectStatus(await owner.get(`/api/v1/media/${id}`), 200)
    expect(body).toMatchObject({ kind: 'image', name: 'şimit.png', alt: 'A tray', labels: ['one', 'two'], width: 300 })
    expect(await received()).toEqual(before)
  })

  test('a file without a name has one by its type, and a long name keeps its ending', async () => {
    const nameOf = async (metadata: Record<string, string>) =>
      (await owner.get(`/api/v1/media/${await withClient(await noise(20, 20), { metadata })}`)).body.name
    expect(await nameOf({})).toBe('file.png')
    expect(await nameOf({ filename: '' })).toBe('file.png')
    expect(await nameOf({ filename: `${'ş'.repeat(300)}.png` })).toBe(`${'ş'.repeat(196)}.png`)
  })

  test('metadata that clients send of their own is ignored', async () => {
    for (const [metadata, name] of [
      ['relativePath bnVsbA==,name YS5wbmc=,type aW1hZ2UvcG5n,filetype aW1hZ2UvcG5n,filename YS5wbmc=', 'a.png'],
      ['filename cGxhbi5wZGY=,is_confidential', 'plan.pdf'],
    ] as const) {
      const path = pathOf(expectStatus(await begin(10, { 'upload-metadata': metadata }), 201))
      const stored = await t.deps.db.selectFrom('media_upload').select('name').where('id', '=', idOf(path)).execute()
      expect(stored).toEqual([{ name }])
      expectStatus(await owner.delete(path), 204)
    }
  })

  test('an upload that was cut continues where it stopped', async () => {
    const file = await noise(400, 400)
    const path = pathOf(expectStatus(await begin(file.length), 201))
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    const head = [`PATCH ${path} HTTP/1.1`, 'host: meydan.test', `cookie: ${cookie}`, 'tus-resumable: 1.0.0']
    head.push('content-type: application/offset+octet-stream', 'upload-offset: 0', `content-length: ${file.length}`)
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(file.subarray(0, 200_000))
    await until(async () => expect((await owner.get(path)).body.offset).toBeGreaterThan(0))
    socket.destroy()
    await once(socket, 'close')
    const offsets: string[] = []
    const id = await withClient(file, {
      uploadUrl: `${t.url}${path}`,
      retryDelays: [50, 200, 1000],
      onBeforeRequest: (request) => {
        if (request.getMethod() === 'PATCH') offsets.push(request.getHeader('Upload-Offset') ?? '')
      },
    })
    expect(Number(offsets[0])).toBeGreaterThan(0)
    expectStatus(await owner.get(`/api/v1/media/${id}`), 200)
    expect((await owner.get(path)).body).toMatchObject({ offset: file.length, media_id: id })
    expect((await owner.open('HEAD', path)).headers.get('upload-media-id')).toBe(id)
    expectProblem(await append(path, file.length, Buffer.alloc(0)), 409, 'invalid_transition')
  })

  test('503 while the disk is full, and the upload continues when there is space', async () => {
    const file = await noise(100, 100)
    const path = pathOf(expectStatus(await begin(file.length), 201))
    const stored = join(folder, `unfinished-${idOf(path)}`)
    await rm(stored)
    await symlink('/dev/full', stored)
    const refused = await append(path, 0, file)
    expectProblem(refused, 503, 'unavailable')
    expect(refused.headers.get('retry-after')).toBe('1')
    await rm(stored)
    await writeFile(stored, '')
    expectStatus(await append(path, 0, file), 204)
  })

  test('the same bytes again become the record that exists', async () => {
    const file = await testImage()
    expect(await withClient(file)).toBe(await withClient(file))
  })

  test('only its creator finds an upload, in its workspace', async () => {
    const before = await received()
    const path = pathOf(expectStatus(await begin(10), 201))
    const others = [await memberOf(t, owner.workspace_id, 'owner'), await withWorkspace(t)]
    for (const who of others) {
      expectProblem(await who.get(path), 404, 'not_found')
      expectProblem(await who.delete(path), 404, 'not_found')
      expectProblem(await who.call('PATCH', path, { headers: { ...tus, 'upload-offset': '0' } }), 404, 'not_found')
    }
    expectProblem(await begin(10, {}, await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
    expectStatus(await owner.delete(path), 204)
    expectProblem(await owner.get(path), 404, 'not_found')
    expect(await received()).toEqual(before)
  })

  test('a token gets an address that it can use', async () => {
    const token = await withToken(t, owner, ['media:write'])
    const headers = { ...tus, 'upload-length': '10' }
    const begun = expectStatus(await token.call('POST', '/api/v1/public/media/uploads', { headers }), 201)
    expect(pathOf(begun)).toMatch(/^\/api\/v1\/public\/media\/uploads\//)
    expectStatus(await token.get(pathOf(begun)), 200)
  })

  test('refused at its beginning: no length, too long, a wrong field; afterwards: a wrong offset, too many bytes', async () => {
    for (const length of ['', '0', '-1', 'x', '1.5']) {
      const refusal = await begin(length)
      expect([length, refusal.status]).toEqual([length, 400])
    }
    expectProblem(await begin(2_000_000_001), 413, 'file_too_large')
    const alt = Buffer.from('x'.repeat(2001)).toString('base64')
    expectProblem(await begin(10, { 'upload-metadata': `alt ${alt}` }), 400, 'validation_failed', '/alt')
    expectProblem(await owner.call('POST', '/api/v1/media/uploads'), 400, 'malformed_request')
    const path = pathOf(expectStatus(await begin(10), 201))
    expectProblem(await append(path, 5, Buffer.alloc(5)), 409, 'invalid_transition')
    expectProblem(await append(path, 0, Buffer.alloc(11)), 413, 'file_too_large')
    expectProblem(await append(path, 0, Buffer.from('plain text')), 415, 'file_type_refused')
    expectProblem(await owner.get(path), 404, 'not_found')
  })

  test('extensions of the protocol that are not supported, and more bytes than announced, are refused', async () => {
    for (const concat of ['partial', 'final;/a /b'])
      expectProblem(await begin(10, { 'upload-concat': concat }), 400, 'malformed_request')
    const path = pathOf(expectStatus(await begin(1000), 201))
    const response = await fetch(`${t.url}${path}`, {
      method: 'PATCH',
      headers: { ...tus, cookie, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: ReadableStream.from([Buffer.alloc(600), Buffer.alloc(600)]),
      duplex: 'half',
    })
    const refusal = { status: response.status, headers: response.headers, body: await response.json() }
    expectProblem(refusal, 413, 'file_too_large')
    expectStatus(await owner.delete(path), 204)
  })

  test('an upload that is not finished within a day is erased', async () => {
    const path = pathOf(expectStatus(await begin(1000), 201))
    expectStatus(await append(path, 0, Buffer.alloc(500)), 204)
    expect((await received()).length).toBeGreaterThan(0)
    t.advance(DAY)
    expectProblem(await owner.get(path), 404, 'not_found')
    await eraseExpiredUploads(t.deps)
    expect(await received()).toEqual([])
    expect(await t.deps.db.selectFrom('media_upload').select('id').execute()).toEqual([])
  })
})
