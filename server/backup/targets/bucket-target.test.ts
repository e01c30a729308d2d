import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { freePort } from '../../../test/processes.ts'
import { bucketServer } from '../../../test/stand-ins/bucket.ts'
import { readConfig } from '../../config/config.ts'
import { openFile } from './open-target.ts'

const server = await bucketServer()
afterAll(server.close)
afterEach(() => server.failWith(() => undefined))

const config = (url = server.url) =>
  readConfig({
    BACKUP_URL: url.replace('?', '/backups?'),
    DATABASE_URL: 'postgres://127.0.0.1/test_none',
    TIMINGS_DIVISOR: '100',
  })
const open = async (name: string, url?: string) => (await openFile(`s3://files/${name}`, config(url))).file

const PART = 8 << 20
const content = randomBytes(PART * 2 + 12_345)
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Yields a content in pieces of another size than that of parts. */
async function* inPieces(bytes: Buffer, failAt = Number.POSITIVE_INFINITY) {
  for (let at = 0; at < bytes.length; at += 1_000_003) {
    if (at >= failAt) throw new Error('The content broke off')
    yield bytes.subarray(at, at + 1_000_003)
  }
}

async function readAll(file: Awaited<ReturnType<typeof open>>) {
  const { size, content } = await file.open()
  const bytes = Buffer.concat(await Array.fromAsync(content))
  expect(bytes.length).toBe(size)
  return bytes
}

test('a file is uploaded in parts and read back as it was, also by its name without parameters', async () => {
  const file = await open('backups/one.backup')
  expect(file.address).toBe('s3://files/backups/one.backup')
  expect(await file.exists()).toBe(false)
  expect(await file.write(inPieces(content), { size: content.length })).toBe(content.length)
  expect(await file.exists()).toBe(true)
  expect(hash(await readAll(file))).toBe(hash(content))
  await file.remove()
  expect(await file.exists()).toBe(false)
  expect(await server.unfinished()).toEqual([])
})

test('the upload goes on after parts, and the response to its end, were lost', async () => {
  const file = await open('lost.backup')
  const losses = new Map<string, number>()
  server.failWith(({ method, query }) => {
    const call = `${method} ${query.partNumber ?? ''}`
    const count = losses.get(call) ?? 0
    losses.set(call, count + 1)
    // More often than the library of S3 tries again.
    return query.partNumber !== undefined && count < 4 ? (count % 2 ? 503 : 'hang_up') : undefined
  })
  await file.write(inPieces(content), { size: content.length })
  expect(losses.get('PUT 2')).toBe(5)
  server.failWith(() => undefined)
  expect(hash(await readAll(file))).toBe(hash(content))
})

test('a broken connection while a file is read is continued where it broke', async () => {
  const file = await open('read.backup')
  await file.write(inPieces(content), { size: content.length })
  const { content: stream } = await file.open()
  let reads = 0
  server.failWith(({ method }) => {
    if (method === 'GET') reads++
    return undefined
  })
  const parts: Buffer[] = []
  for await (const part of stream) {
    parts.push(part)
    // Breaks the connection once, in the middle.
    if (parts.length === 3) server.hangUp()
  }
  expect(reads).toBe(2)
  expect(hash(Buffer.concat(parts))).toBe(hash(content))
})

test('an upload whose content fails is aborted, and leaves nothing in the bucket', async () => {
  const file = await open('broken.backup')
  await expect(file.write(inPieces(content, PART), { size: content.length })).rejects.toThrow('broke off')
  expect(await server.unfinished()).toEqual([])
  expect(await file.exists()).toBe(false)
})

test('what a killed process left of an upload is aborted, and nothing else', async () => {
  const other = await open('killed.backup.other')
  const file = await open('killed.backup')
  // Leaves the upload as a process that dies does: not even the abort arrives.
  server.failWith(({ method, query }) =>
    method === 'DELETE' || query.partNumber !== undefined ? 'hang_up' : undefined,
  )
  for (const one of [file, other])
    await expect(one.write(inPieces(content), { size: content.length })).rejects.toThrow('cannot be reached')
  server.failWith(() => undefined)
  expect((await server.unfinished()).toSorted()).toEqual(['killed.backup', 'killed.backup.other'])
  await file.removePartial()
  expect(await server.unfinished()).toEqual(['killed.backup.other'])
  await other.removePartial()
})

test('a bucket that cannot be reached, is missing or refuses is told in a sentence', async () => {
  const unreachable = `s3://key:secret@files?endpoint=http://127.0.0.1:${await freePort()}&path_style=true`
  const away = await open('x.backup', unreachable)
  await expect(away.exists()).rejects.toThrow('s3://files/x.backup cannot be reached. Check its endpoint')
  const { file: absent } = await openFile(server.urlOf('absent').replace('?', '/x.backup?'), config())
  const writing = absent.write(inPieces(content), { size: content.length })
  await expect(writing).rejects.toThrow('s3://absent/x.backup cannot be used (HTTP 404). Check the bucket')
  await expect(absent.open()).rejects.toThrow('s3://absent/x.backup does not exist.')
  await expect(openFile('s3://files', config())).rejects.toThrow(
    'The address of the backup names no file. Write s3://bucket/file.',
  )
})
