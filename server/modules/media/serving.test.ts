import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withToken, withWorkspace } from '../../../test/factories.ts'
import { download, testImage, upload } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { readMediaForPost } from './media.ts'
import { mediaUrl, openMedia } from './renditions.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const bytes = await testImage(800, 600)
const id = expectStatus(await upload(owner, bytes, { name: 'Şimit "1".html' }), 201).body.id
const file = `/api/v1/media/${id}/file`

describe('GET /media/:id/file', () => {
  test('200 with the bytes, and headers with which nothing in them runs', async () => {
    const response = await download(owner, file)
    expect(response.status).toBe(200)
    expect(response.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      // The name has the extension of the content, so that it opens as what it is.
      'content-disposition': `inline; filename="_imit _1_.png"; filename*=UTF-8''%C5%9Eimit%20%221%22.png`,
    })
  })

  test('304 for what the client has, and the same headers without bytes for HEAD', async () => {
    const { headers } = await download(owner, file)
    const etag = headers.get('etag') ?? ''
    expect((await download(owner, file, { 'if-none-match': etag })).status).toBe(304)
    const head = await owner.open('HEAD', file)
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
    expect(head.headers.get('etag')).toBe(etag)
  })

  test('206 for each form of a range', async () => {
    const last = bytes.length - 1
    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=10-', 10, last],
      ['bytes=-5', last - 4, last],
      [`bytes=-${bytes.length * 2}`, 0, last],
      [`bytes=5-${'9'.repeat(400)}`, 5, last],
      ['Bytes= 1 - 2', 1, 2],
    ]
    for (const [range, from, to] of parts) {
      const part = await download(owner, file, { range })
      expect([range, part.status, part.headers.get('content-range')]).toEqual([
        range,
        206,
        `bytes ${from}-${to}/${bytes.length}`,
      ])
      expect(part.headers.get('content-length')).toBe(String(to - from + 1))
      expect(part.bytes.equals(bytes.subarray(from, to + 1))).toBe(true)
    }
  })

  test('416 for a range outside of the file, and 200 for what is no single range', async () => {
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
      const response = await owner.get(file, { range })
      expectProblem(response, 416, 'range_not_satisfiable')
      expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    }
    const many = `bytes=${Array.from({ length: 500 }, (_, n) => `${n}-${n}`).join(',')}`
    for (const range of ['bytes=2-1', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4', many, 'bytes=1.5-2'])
      expect([range, (await download(owner, file, { range })).bytes.length]).toEqual([range, bytes.length])
  })

  test('a range is returned only of the version that If-Range names', async () => {
    const etag = (await download(owner, file)).headers.get('etag') ?? ''
    expect((await download(owner, file, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await download(owner, file, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  test('a token reads the files of its own workspace only', async () => {
    const [own, other] = [await withToken(t, owner, ['media:read']), await withWorkspace(t)]
    const path = `/api/v1/public/media/${id}/file`
    expect((await download(own, path)).status).toBe(200)
    expectProblem(await (await withToken(t, other, ['media:read'])).get(path), 404, 'not_found')
    expectProblem(await (await withToken(t, owner, ['posts:read'])).get(path), 403, 'insufficient_scope')
    expectProblem(await t.anyone.get(file), 401, 'unauthenticated')
  })

  test('a token for all workspaces reads the files of each, and one of a workspace those of no other', async () => {
    const person = await withWorkspace(t)
    const path = `/api/v1/public/media/${expectStatus(await upload(person, bytes), 201).body.id}/file`
    const all = await withToken(t, person, ['media:read'], { team_id: null })
    const here = await withToken(t, person, ['media:read'])
    const second = expectStatus(await person.post('/api/v1/workspaces', { name: 'Without files' }), 201).body
    const there = await withToken(t, person.with({ 'x-workspace-id': second.id }), ['media:read'])
    for (const token of [all, here]) expect((await download(token, path)).status).toBe(200)
    expectProblem(await there.get(path), 404, 'not_found')
  })
})

test('GET /media/:id/thumbnail returns a WebP image of at most 400 by 400 pixels', async () => {
  const response = await download(owner, `/api/v1/media/${id}/thumbnail`)
  expect(response.headers.get('content-type')).toBe('image/webp')
  const { width, height, format } = await sharp(response.bytes).metadata()
  expect({ width, height, format }).toEqual({ width: 400, height: 300, format: 'webp' })
})

describe('GET /media/signed/:grant', () => {
  const signed = async (rules: Parameters<typeof mediaUrl>[3] = null) => {
    const [media] = await readMediaForPost(t.deps.db, owner.workspace_id, [id])
    if (!media) throw new Error('The file is missing')
    const expires = new Date(t.clock.now().getTime() + 3_600_000)
    const url = await mediaUrl(t.deps, media, { expires }, rules)
    expect(url).toMatch(/^http:\/\/meydan\.test\/api\/v1\/media\/signed\//)
    return new URL(url).pathname
  }

  test('200 without credentials until it expires', async () => {
    const path = await signed()
    const response = await download(t.anyone, path, { range: 'bytes=0-9' })
    expect(response.status).toBe(206)
    expect(response.bytes.equals(bytes.subarray(0, 10))).toBe(true)
    t.advance(3_600_000)
    expectProblem(await t.anyone.get(path), 404, 'not_found')
  })

  test('404 for every address that was not signed', async () => {
    const path = await signed()
    const [name, fit = '', expires = '', signature = ''] = path.split('.')
    const forged = [
      [name, fit, `1${expires}`, signature, 'png'],
      [name, 'other', expires, signature, 'png'],
      [name?.replace(/\w$/, (last) => (last === '0' ? '1' : '0')), fit, expires, signature, 'png'],
      [name, fit, expires, signature.slice(1), 'png'],
      [name, fit, expires, '', 'png'],
      ['/api/v1/media/signed/x'],
    ]
    for (const parts of forged) expectProblem(await t.anyone.get(parts.join('.')), 404, 'not_found')
    expect((await download(t.anyone, path)).status).toBe(200)
  })

  test('404 once the file is deleted', async () => {
    const path = await signed()
    expectStatus(await owner.delete(`/api/v1/media/${id}`), 204)
    expectProblem(await t.anyone.get(path), 404, 'not_found')
    expectStatus(await owner.post(`/api/v1/media/${id}/restore`), 200)
    expect((await download(t.anyone, path)).status).toBe(200)
  })

  test('an address for a network leads to a copy that fits it, which is made once', async () => {
    const rules = {
      kinds: { image: { max: 4, mimes: ['image/jpeg'], max_bytes: 1_000_000, max_width: 300, max_height: 300 } },
      ...{ max: 4, mixed: false, required: false, max_alt_length: null },
    }
    const [first, second] = [await signed(rules), await signed(rules)]
    expect(first.split('.')[1]).toBe(second.split('.')[1])
    const response = await download(t.anyone, first)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect((await sharp(response.bytes).metadata()).width).toBe(300)
    const rows = await t.deps.db.selectFrom('media_rendition').selectAll().execute()
    expect(rows).toMatchObject([{ media_id: id, mime: 'image/jpeg', width: 300, height: 225 }])

    const [media] = await readMediaForPost(t.deps.db, owner.workspace_id, [id])
    if (!media) throw new Error('The file is missing')
    const copy = await openMedia(t.deps, media, rules)
    expect(copy).toMatchObject({ mime: 'image/jpeg', bytes: response.bytes.length, width: 300, height: 225 })
    expect(Buffer.concat(await copy.stream.toArray()).equals(response.bytes)).toBe(true)
    const original = await openMedia(t.deps, media, null)
    expect(original).toMatchObject({ mime: 'image/png', bytes: bytes.length, name: 'Şimit "1".png' })
    expect(Buffer.concat(await original.stream.toArray()).equals(bytes)).toBe(true)
    const nothing = { ...rules, kinds: {} }
    await expect(openMedia(t.deps, media, nothing)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
