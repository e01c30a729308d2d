import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { receive } from './receive.ts'

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-receive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a source that fails before the file is open fails the upload, and nothing else', async () => {
  const source = new Readable({ read: () => undefined })
  const received = receive(source, await temporaryFolder())
  source.destroy(new Error('The server has hung up.'))
  await expect(received).rejects.toThrow('The server has hung up.')
})

test('a source that has failed already fails the upload', async () => {
  const source = new Readable({ read: () => undefined })
  source.destroy(new Error('The server has hung up.'))
  source.on('error', () => undefined)
  await expect(receive(source, await temporaryFolder())).rejects.toThrow('The server has hung up.')
})

test('a source is closed when the file cannot be opened', async () => {
  const source = Readable.from([Buffer.alloc(100_000, 'a')])
  const closed = once(source, 'close')
  await expect(receive(source, join(await temporaryFolder(), 'absent'))).rejects.toThrow('ENOENT')
  await closed
})

test('an upload that is stopped fails, and its source is closed', async () => {
  const source = new Readable({ read: () => undefined })
  source.push(Buffer.alloc(100_000, 'a'))
  const stopping = new AbortController()
  const received = receive(source, await temporaryFolder(), undefined, stopping.signal)
  stopping.abort(new Error('The node stops.'))
  await expect(received).rejects.toMatchObject({ name: 'AbortError', cause: stopping.signal.reason })
  expect(source.destroyed).toBe(true)
})

test('a workspace without room refuses a stream as soon as it is too long', async () => {
  const source = new Readable({ read: () => undefined })
  for (let pieces = 0; pieces < 40; pieces++) source.push(Buffer.alloc(64 * 1024, 'a'))
  const requireRoom = async (bytes: number) => {
    if (bytes > 1_000_000) throw new Error('There is no room.')
  }
  await expect(receive(source, await temporaryFolder(), requireRoom)).rejects.toThrow('There is no room.')
  expect(source.destroyed).toBe(true)
})

test('more bytes than are flushed at once arrive in their order', async () => {
  const folder = await temporaryFolder()
  const piece = (index: number) => Buffer.alloc(64 * 1024, index)
  const pieces = Array.from({ length: 300 }, (_, index) => piece(index % 251))
  const { path, bytes } = await receive(Readable.from(pieces), folder)
  expect(bytes).toBe(300 * 64 * 1024)
  const expected = Buffer.concat(Array.from({ length: 300 }, (_, index) => piece(index % 251)))
  expect(expected.equals(await readFile(path))).toBe(true)
})
