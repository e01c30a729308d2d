import { Upload } from 'tus-js-client'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { download, noise, testImage, upload } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { bucketServer } from '../../../../test/stand-ins/bucket.ts'
import { eraseStoredFiles } from './erasure.ts'

const bucket = await bucketServer()
afterAll(() => bucket.close())
const t = await testApp({ STORAGE_URL: bucket.url })
const owner = await withWorkspace(t)

const isStored = (key: string) =>
  t.deps.storage.open(key).then(
    (stream) => {
      stream.destroy()
      return true
    },
    () => false,
  )

test('a file is kept in the bucket, served whole and in ranges, and erased', async () => {
  const bytes = await noise(200, 200)
  const { body } = expectStatus(await upload(owner, bytes), 201)
  expect((await download(owner, body.url)).bytes.equals(bytes)).toBe(true)
  const part = await download(owner, body.url, { range: 'bytes=1000-1999' })
  expect(part.status).toBe(206)
  expect(part.bytes.equals(bytes.subarray(1000, 2000))).toBe(true)
  expect((await download(owner, body.thumbnail_url)).headers.get('content-type')).toBe('image/webp')
  const keys = ['original', 'thumbnail'].map((name) => `${owner.workspace_id}/${body.id}/${name}`)
  for (const key of keys) expect(await isStored(key)).toBe(true)
  expectStatus(await owner.delete(`/api/v1/media/${body.id}?permanent=true`), 204)
  await eraseStoredFiles(t.deps)
  for (const key of keys) expect(await isStored(key)).toBe(false)
})

test.each(['folder', 'bucket'])(
  'the files of one workspace in a %s are listed without those of others',
  async (kind) => {
    const node = kind === 'bucket' ? t : await testApp()
    const who = await withWorkspace(node)
    const keysOf = async () =>
      (await Array.fromAsync(node.deps.storage.list(who.workspace_id))).map(({ key }) => key).toSorted()
    expect(await keysOf()).toEqual([])
    expectStatus(await upload(await withWorkspace(node), await testImage()), 201)
    const { body } = expectStatus(await upload(who, await testImage()), 201)
    expect(await keysOf()).toEqual(['original', 'thumbnail'].map((name) => `${who.workspace_id}/${body.id}/${name}`))
    if (kind === 'folder') await node.close()
  },
)

test.each(['folder', 'bucket'])('404 for a file that the %s no longer has', async (kind) => {
  const node = kind === 'bucket' ? t : await testApp()
  const who = await withWorkspace(node)
  const { body } = expectStatus(await upload(who, await testImage()), 201)
  await node.deps.storage.erase(`${who.workspace_id}/${body.id}`)
  expectProblem(await who.get(body.url), 404, 'not_found')
  if (kind === 'folder') await node.close()
})

test('a resumable upload is received in the bucket, and can be continued by another node', async () => {
  const person = await signedIn(t)
  const values = { workspace_id: owner.workspace_id, user_id: person.id, role: 'author' as const }
  await t.deps.db.insertInto('workspace_member').values(values).execute()
  const other = await testApp({ STORAGE_URL: bucket.url }, { beside: t })
  try {
    const file = await noise(700, 700)
    const tus = { 'tus-resumable': '1.0.0' }
    const headers = { ...tus, 'upload-length': String(file.length) }
    const begun = expectStatus(await person.call('POST', '/api/v1/media/uploads', { headers }), 201)
    const path = begun.headers.get('location') ?? ''
    const chunk = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    expectStatus(await person.send('PATCH', path, file.subarray(0, 500_000), chunk), 204)
    expect((await person.get(path)).body.offset).toBe(500_000)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    new Upload(file, {
      uploadUrl: `${other.url}${path}`,
      headers: person.headers,
      retryDelays: null,
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
    await promise
    const { media_id } = expectStatus(await person.get(path), 200).body
    const { bytes } = await download(person, `/api/v1/media/${media_id}/file`)
    expect(bytes.equals(file)).toBe(true)
  } finally {
    await other.close()
  }
})

test('a bucket that does not exist stops the start with a message that names the key', async () => {
  await expect(testApp({ STORAGE_URL: bucket.urlOf('missing') })).rejects.toThrow(/^STORAGE_URL .*missing/)
})

test('a folder that cannot be used stops the start with a message that names the key', async () => {
  await expect(testApp({ STORAGE_URL: 'file:/dev/null/files' })).rejects.toThrow(/^STORAGE_URL .*\/dev\/null\/files/)
  for (const value of ['ftp://x', 's3://', 's3://bucket/folder', 's3://bucket?colour=red', 's3://key@bucket', 'files'])
    await expect(testApp({ STORAGE_URL: value })).rejects.toThrow(/STORAGE_URL (must|has)/)
})
