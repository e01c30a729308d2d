import { randomBytes } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectStatus } from './factories.ts'
import { killableApp } from './killable-app.ts'
import { noise } from './media.ts'
import { until } from './until.ts'

/** Longer than what a dead process left behind is kept. */
const DAYS_AGO = new Date(Date.now() - 3 * 86_400_000)

const { now, start, kill, signIn } = killableApp()

/** Begins a request whose body never ends. */
function sendHalf(request: string, headers: Record<string, string>, body: Uint8Array) {
  const socket = connect(now().port, '127.0.0.1')
  // The process at the other end is killed.
  socket.on('error', () => undefined)
  const lines = Object.entries({ host: 'meydan.test', ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`${request} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  socket.write(body)
}

const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
const form = (name: string) => `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`

test('after a kill during uploads, a resumable one continues, and nothing is left of a plain one', async () => {
  await start()
  const { admin, cookie } = await signIn()
  const { dataDir } = now()
  const file = await noise(500, 500)
  const half = file.subarray(0, file.length / 2)
  const begin = { ...tus, 'upload-length': String(file.length) }
  const begun = expectStatus(await admin.call('POST', '/api/v1/media/uploads', { headers: begin }), 201)
  const path = begun.headers.get('location') ?? ''
  const patch = { ...tus, cookie, 'upload-offset': '0', 'content-length': String(file.length) }
  sendHalf(`PATCH ${path}`, patch, half)
  const post = { cookie, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '9000000' }
  sendHalf('POST /api/v1/media', post, Buffer.concat([Buffer.from(form('cut.png')), randomBytes(2_000_000)]))
  const temporary = join(dataDir, 'uploads', 'temporary')
  const left = () => readdir(temporary, { recursive: true })
  await until(async () => expect(await left()).toHaveLength(2))
  await until(async () => expect((await admin.get(path)).body.offset).toBeGreaterThan(0))
  await kill()

  // The folder is last, because its own time changes with what is in it.
  for (const name of (await left()).toSorted((a, b) => b.length - a.length))
    await utimes(join(temporary, name), DAYS_AGO, DAYS_AGO)
  await start()
  await until(async () => expect(await left()).toEqual([]))

  const { offset } = expectStatus(await admin.get(path), 200).body
  expect(offset).toBeGreaterThan(0)
  const rest = { ...tus, 'upload-offset': String(offset) }
  expectStatus(await admin.send('PATCH', path, file.subarray(offset), rest), 204)
  const { media_id } = expectStatus(await admin.get(path), 200).body
  expect(expectStatus(await admin.get('/api/v1/media'), 200).body.data).toMatchObject([{ id: media_id, width: 500 }])
  expect(await readdir(join(dataDir, 'uploads', 'resumable'))).toEqual([])
})
