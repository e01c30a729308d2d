import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import type { Client } from './client.ts'
import { databaseUrl } from './database.ts'
import { expectStatus, withToken, withWorkspace } from './factories.ts'
import { noise, upload } from './media.ts'
import { freePort, kill, startMeydan } from './processes.ts'
import { until } from './until.ts'

let t: TestApp
let author: Client & { token: string }
beforeAll(async () => {
  t = await testApp({}, { origin: new Date() })
  const owner = await withWorkspace(t)
  author = await withToken(t, owner, ['media:read', 'media:write'])
})
afterAll(() => t?.close())

/** A node beside `t`, on the same database and folder. `settings`: others of its process. */
async function startNode(settings: Record<string, string> = {}) {
  const port = await freePort()
  const node = await startMeydan({
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl(t.database.connection),
    DATA_DIR: t.deps.config.DATA_DIR,
    SECRET_KEY: String(t.deps.config.SECRET_KEY),
    ...settings,
  })
  onTestFinished(() => kill(node))
  return {
    node,
    port,
    /** Resolves when the node accepts no more connections. */
    stop: async () => {
      node.kill('SIGTERM')
      await until(async () => {
        const socket = connect(port, '127.0.0.1')
        const isRefused = await once(socket, 'connect').then(
          () => false,
          () => true,
        )
        socket.destroy()
        expect(isRefused).toBe(true)
      })
    },
    send: (method: string, path: string, headers: Record<string, string | number>) =>
      request({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { authorization: `Bearer ${author.token}`, ...headers },
      }),
  }
}
type Node = Awaited<ReturnType<typeof startNode>>

async function responseOf(sending: ClientRequest) {
  const [response]: [IncomingMessage] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

/** Begins to upload a file, and resolves when a part of it has arrived. `rest`: what is still to be sent. */
async function beginForm({ send }: Node) {
  const file = await noise(100, 100)
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')])
  const sending = send('POST', '/api/v1/public/media', {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': body.length,
  })
  const half = Math.floor(body.length / 2)
  sending.write(body.subarray(0, half))
  await until(async () => expect(await temporary()).toHaveLength(1))
  return { file, sending, rest: body.subarray(half), response: responseOf(sending) }
}
const temporary = () => readdir(join(t.deps.config.DATA_DIR, 'uploads', 'temporary')).catch(() => [])

test('an upload that is running at SIGTERM ends as if nothing had happened, and then the node exits', async () => {
  const started = await startNode({ TIMINGS_DIVISOR: '1' })
  const unused = connect(started.port, '127.0.0.1')
  await once(unused, 'connect')
  const closed = once(unused.resume(), 'close')
  const { sending, rest, response } = await beginForm(started)
  const exit = once(started.node, 'exit')
  await started.stop()
  await closed
  sending.end(rest)
  expect(await response).toMatchObject({ status: 201, headers: { connection: 'close' } })
  expect(await exit).toEqual([0, null])
})

test('an upload that does not end in time gets a 503, and can be repeated', async () => {
  const started = await startNode()
  const { file, response } = await beginForm(started)
  const exit = once(started.node, 'exit')
  await started.stop()
  const { status, headers, body } = await response
  expect([status, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '5', 'unavailable'])
  expect(await exit).toEqual([0, null])
  expect(await temporary()).toEqual([])
  expectStatus(await upload(author, file, { path: '/api/v1/public/media' }), 201)
})

test('a resumable upload that does not end in time is told what has arrived, and continues elsewhere', async () => {
  const started = await startNode()
  const file = await noise(300, 300)
  const tus = { 'tus-resumable': '1.0.0' }
  const begun = await author.call('POST', '/api/v1/public/media/uploads', {
    headers: { ...tus, 'upload-length': String(file.length) },
  })
  const path = expectStatus(begun, 201).headers.get('location') ?? ''
  const octets = { ...tus, 'content-type': 'application/offset+octet-stream' }
  const sending = started.send('PATCH', path, { ...octets, 'upload-offset': 0, 'content-length': file.length })
  const response = responseOf(sending)
  sending.write(file.subarray(0, 200_000))
  await until(async () => expect((await author.get(path)).body.offset).toBeGreaterThan(0))
  const exit = once(started.node, 'exit')
  await started.stop()
  const { status, headers } = await response
  const offset = Number(headers['upload-offset'])
  expect(status).toBe(204)
  expect(offset).toBeGreaterThan(0)
  expect(offset).toBeLessThanOrEqual(200_000)
  expect(await exit).toEqual([0, null])
  const rest = await author.send('PATCH', path, file.subarray(offset), { ...octets, 'upload-offset': String(offset) })
  const media = expectStatus(rest, 204).headers.get('upload-media-id')
  expectStatus(await author.get(`/api/v1/public/media/${media}`), 200)
})
