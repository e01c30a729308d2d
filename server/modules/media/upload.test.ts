import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  expectStatus,
  openSession,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { videoType } from '../../../test/hostile-files.ts'
import { noise, testImage, upload } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'
import { announceFolder, eraseStoredFiles } from './storage/erasure.ts'
import { originalKey } from './storage/keys.ts'
import { removeOldUploads } from './storage/temporary.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const temporary = () => readdir(join(t.deps.config.DATA_DIR, 'uploads', 'temporary'))
const nothingLeft = () => until(async () => expect(await temporary()).toEqual([]))
const countOf = async (who: WorkspaceOwner) => expectStatus(await who.get('/api/v1/media'), 200).body.data.length

/** The head and the beginning of an upload, as bytes. */
const beginning = (cookie: string, length: number, body: string) =>
  [
    'POST /api/v1/media HTTP/1.1',
    'host: meydan.test',
    `cookie: ${cookie}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${length}`,
    '',
    body,
  ].join('\r\n')
const filePart = (name: string) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`

describe('POST /media', () => {
  test('201 with what the content of the file shows, whatever its name and type say', async () => {
    const bytes = await testImage(60, 40)
    const fields: [string, string][] = [
      ['alt', 'A tray'],
      ['labels', 'one'],
      ['labels', 'two'],
    ]
    const { body } = expectStatus(await upload(owner, bytes, { name: 'video.mp4', type: 'video/mp4', fields }), 201)
    expect(body).toMatchObject({
      ...{ kind: 'image', mime: 'image/png', width: 60, height: 40, duration_s: null },
      ...{ name: 'video.mp4', alt: 'A tray', labels: ['one', 'two'], uploaded_by_id: owner.id },
      sha256: createHash('sha256').update(bytes).digest('hex'),
      url: `/api/v1/media/${body.id}/file`,
      thumbnail_url: `/api/v1/media/${body.id}/thumbnail`,
      placeholder: expect.stringMatching(/^data:image\//),
    })
    await nothingLeft()
  })

  test('201 with exactly the bytes that were sent, however they arrive and whatever they look like', async () => {
    const separator = Buffer.from('\r\n--b')
    const pieces = Array.from({ length: 60 }, (_, index) => [
      ...[randomBytes(index * 2003), separator.subarray(0, 1 + (index % 4)), Buffer.alloc(index * 17, '\r\n-')],
    ])
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), ...pieces.flat(), Buffer.from('\n%%EOF\n')])
    const field = '\r\n--b\r\ncontent-disposition: form-data; name="alt"\r\n\r\nMenu\r\n--b--\r\n'
    const whole = Buffer.concat([Buffer.from(filePart('menu.pdf')), bytes, Buffer.from(field)])
    const form = async function* () {
      for (let at = 0, size = 1; at < whole.length; at += size, size = (size * 7 + 3) % 200_003) {
        yield whole.subarray(at, at + size)
        await turn()
      }
    }
    const headers = await openSession(t, owner.id)
    const response = await fetch(`${t.url}/api/v1/media`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
      body: ReadableStream.from(form()),
      duplex: 'half',
    })
    const media = Object(await response.json())
    expect([response.status, media.alt, media.bytes]).toEqual([201, 'Menu', bytes.length])
    expect(media.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    const kept = await fetch(`${t.url}${media.url}`, { headers })
    expect(bytes.equals(Buffer.from(await kept.arrayBuffer()))).toBe(true)
  })

  test('201 by a token with the scope', async () => {
    const token = await withToken(t, owner, ['media:write'])
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(await testImage())]), 'a.png')
    const response = await fetch(`${t.url}/api/v1/public/media`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token.token}` },
    })
    expect(response.status).toBe(201)
  })

  test('200 with the existing record for the same bytes, restored if it was deleted', async () => {
    const bytes = await testImage()
    const { body } = expectStatus(await upload(owner, bytes), 201)
    expect(expectStatus(await upload(owner, bytes, { name: 'other.png' }), 200).body).toEqual(body)
    expectStatus(await owner.delete(`/api/v1/media/${body.id}`), 204)
    expect(expectStatus(await upload(owner, bytes), 200).body.id).toBe(body.id)
    expectStatus(await owner.get(`/api/v1/media/${body.id}`), 200)
  })

  test('ten uploads of the same bytes at once give one record and one file', async () => {
    const who = await withWorkspace(t)
    const bytes = await testImage()
    const responses = await Promise.all(Array.from({ length: 10 }, () => upload(who, bytes)))
    expect(responses.filter(({ status }) => status === 201).length).toBe(1)
    expect(responses.filter(({ status }) => status === 200).length).toBe(9)
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    await eraseStoredFiles(t.deps)
    expect(await readdir(join(t.deps.config.DATA_DIR, 'files', who.workspace_id))).toEqual([responses[0]?.body.id])
    await nothingLeft()
  })

  test('400 for a form without a file, with two, with an unknown field or with wrong values', async () => {
    const bytes = await testImage()
    const refused = async (fields: [string, string][], pointer: string) =>
      expectProblem(await upload(owner, bytes, { fields }), 400, 'validation_failed', pointer)
    await refused([['surprise', 'x']], '/surprise')
    await refused([['alt', 'x'.repeat(2001)]], '/alt')
    await refused([['alt', 'a\0b']], '/alt')
    await refused([['file', 'text']], '/file')
    await refused(
      [
        ['labels', 'same'],
        ['labels', 'same'],
      ],
      '/labels',
    )
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const send = (body: string) => owner.send('POST', '/api/v1/media', Buffer.from(body, 'latin1'), headers)
    expectProblem(await send('--b--\r\n'), 400, 'validation_failed', '/file')
    expectProblem(await send('not a form'), 400, 'malformed_request')
    const two = `${filePart('a.png')}${bytes.toString('latin1')}\r\n${filePart('b.png')}x\r\n--b--\r\n`
    expectProblem(await send(two), 400, 'validation_failed', '/file')
    await nothingLeft()
  })

  test('415 for JSON, for a file of an unknown type, and for an empty one', async () => {
    expectProblem(await owner.post('/api/v1/media', {}), 415, 'unsupported_media_type')
    for (const text of ['plain text', '<svg xmlns="http://www.w3.org/2000/svg"/>', ''])
      expectProblem(await upload(owner, Buffer.from(text)), 415, 'file_type_refused')
    await nothingLeft()
  })

  test('413 for an image of more than 30 MB, before all of it has arrived', async () => {
    const bytes = Buffer.concat([await testImage(), Buffer.alloc(32_000_000)])
    expectProblem(await upload(owner, bytes), 413, 'file_too_large')
    await nothingLeft()
  })

  test('413 for a length that no file may have, without reading it', async () => {
    const { headers } = await signedInOwner()
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    socket.write(beginning(headers.cookie, 3_000_000_000, ''))
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  test('an upload that is cut leaves nothing', async () => {
    const { headers } = await signedInOwner()
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    socket.write(beginning(headers.cookie, 1_000_000, `${filePart('a.png')}${'x'.repeat(200_000)}`))
    await until(async () => expect((await temporary()).length).toBe(1))
    socket.destroy()
    await nothingLeft()
  })

  test('an upload that is cut before Meydan reads it leaves nothing, and takes no room from the next ones', async () => {
    const { headers } = await signedInOwner()
    const { port } = new URL(t.url)
    for (let round = 0; round < 6; round++) {
      const sockets = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1'))
      for (const [index, socket] of sockets.entries()) {
        await once(socket, 'connect')
        // Closed while the caller is identified, the room checked or the folder made.
        socket.write(beginning(headers.cookie, 1_000_000, ''), async () => {
          for (let turns = 0; turns < 40 * (3 * index + round); turns++) await turn()
          socket.resetAndDestroy()
        })
      }
      await Promise.all(sockets.map((socket) => once(socket, 'close')))
    }
    await nothingLeft()
    expectStatus(await upload(t.anyone.with(headers), await testImage()), 201)
  })

  test('hostile names are shown as harmless ones', async () => {
    const names = ['../../etc/passwd', '..', 'C:\\\\Users\\\\a\u202egnp.exe', '', 'x'.repeat(5000)]
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const sent of names) {
      const bytes = await testImage()
      const body = Buffer.concat([Buffer.from(filePart(sent)), bytes, Buffer.from('\r\n--b--\r\n')])
      const { name } = expectStatus(await owner.send('POST', '/api/v1/media', body, headers), 201).body
      expect(name).not.toMatch(/[/\\\p{C}]|^\.+$/u)
      expect(name.length).toBeLessThanOrEqual(200)
    }
    const huge = Buffer.from(`${filePart('a.png'.padStart(5_000_000, 'x'))}x\r\n--b--\r\n`)
    expectProblem(await owner.send('POST', '/api/v1/media', huge, headers), 415, 'file_type_refused')
    await nothingLeft()
  })
})

/** A session whose cookie can be sent over a socket. */
async function signedInOwner() {
  const person = await signedIn(t)
  await t.deps.db
    .insertInto('workspace_member')
    .values({ workspace_id: owner.workspace_id, user_id: person.id, role: 'owner' })
    .execute()
  return person
}

/** Sends files of unknown length, which are cut long before they could fill a disk. */
async function expectNoRoomWhileArriving(planned: TestApp, who: WorkspaceOwner) {
  const video = async function* (rest: number) {
    yield videoType
    for (; rest > 0; rest--) yield Buffer.alloc(100_000)
  }
  let server: Server | undefined
  try {
    let sent = 0
    server = createServer(async (_, response) => {
      const closed = once(response, 'close')
      for await (const chunk of video(10_000)) {
        if (response.destroyed) return
        sent += chunk.length
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
      }
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/a.mp4`
    expectProblem(await who.post('/api/v1/media/import', { url }), 403, 'limit_exceeded')
    expect(sent).toBeLessThan(50_000_000)
  } finally {
    server?.closeAllConnections()
    server?.close()
  }
  const headers = await openSession(planned, who.id)
  const form = async function* () {
    yield Buffer.from(filePart('a.mp4'))
    yield* video(50)
  }
  const response = await fetch(`${planned.url}/api/v1/media`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    body: ReadableStream.from(form()),
    duplex: 'half',
  })
  expect([response.status, Object(await response.json()).code]).toEqual([403, 'limit_exceeded'])
}

describe('the storage of a plan', () => {
  test('concurrent uploads reach the limit and never exceed it', async () => {
    const planned = await testApp()
    try {
      const boss = await signedIn(planned, { instanceAdmin: true })
      expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
      const who = await withWorkspace(planned)
      await sql`update plan set limits = jsonb_set(limits, '{storage_mb}', '2') where code = 'free'`.execute(
        planned.deps.db,
      )
      const large = () => noise(400, 375)
      const responses = await Promise.all(Array.from({ length: 8 }, async () => upload(who, await large())))
      expect(responses.filter(({ status }) => status === 201).length).toBe(4)
      for (const response of responses.filter(({ status }) => status !== 201))
        expectProblem(response, 403, 'limit_exceeded')
      const { meters } = expectStatus(await who.get('/api/v1/workspace/usage'), 200).body
      expect(meters).toContainEqual({ meter: 'storage_mb', used: 2, limit: 2, over_since: null })
      const [first] = responses.filter(({ status }) => status === 201)
      // Deleted files count until they are erased.
      expectStatus(await who.delete(`/api/v1/media/${first?.body.id}`), 204)
      expectProblem(await upload(who, await large()), 403, 'limit_exceeded')
      expectStatus(await who.delete(`/api/v1/media/${first?.body.id}?permanent=true`), 204)
      expectStatus(await upload(who, await large()), 201)
      expect(await countOf(who)).toBe(4)
      await expectNoRoomWhileArriving(planned, who)
    } finally {
      await planned.close()
    }
  })
})

test('what an upload left behind whose process died is erased a day later, and nothing else', async () => {
  const elsewhere = await testApp()
  try {
    const { DATA_DIR } = elsewhere.deps.config
    const who = await withWorkspace(elsewhere)
    const { id } = expectStatus(await upload(who, await testImage()), 201).body
    // As at the moment before the record is written.
    const folder = await announceFolder(elsewhere.deps, { id: randomUUID(), workspace_id: who.workspace_id })
    await elsewhere.deps.storage.put(originalKey(folder.folder), Buffer.from('x'), 'image/png')
    const parent = join(DATA_DIR, 'uploads', 'temporary')
    for (const name of ['dead', 'alive']) {
      await mkdir(join(parent, name))
      await writeFile(join(parent, name, 'received'), 'x')
    }
    const old = new Date(Date.now() - 26 * 3600_000)
    for (const path of [join(parent, 'dead', 'received'), join(parent, 'dead'), join(parent, 'alive')])
      await utimes(path, old, old)
    const erase = async () => {
      await eraseStoredFiles(elsewhere.deps)
      await removeOldUploads({ DATA_DIR }, new Date())
    }
    await erase()
    expect(await readdir(parent)).toEqual(['alive'])
    const stored = () => readdir(join(DATA_DIR, 'files', who.workspace_id))
    expect((await stored()).length).toBe(2)
    elsewhere.advance(24 * 3600_000)
    await erase()
    expect(await stored()).toEqual([id])
  } finally {
    await elsewhere.close()
  }
})

test('503 while the disk is full, and nothing is kept', async () => {
  const full = await testApp()
  try {
    const who = await withWorkspace(full)
    full.deps.storage.moveIn = () => writeFile('/dev/full', 'x')
    const refused = await upload(who, await testImage())
    expectProblem(refused, 503, 'unavailable')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await countOf(who)).toBe(0)
  } finally {
    await full.close()
  }
})
