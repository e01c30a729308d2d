import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/problem.ts'
import { rawRequest } from '../../../../test/raw-http.ts'
import { limitBodyTime } from './body-timeout.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

/** A server with short times, whose routes read their body to its end. */
async function start(times: Parameters<typeof limitBodyTime>[1]) {
  app = Fastify({ forceCloseConnections: true })
  limitBodyTime(app, times)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const read = { handler: async ({ raw }: { raw: AsyncIterable<Buffer> }) => (await Array.fromAsync(raw)).join('') }
  app.post('/body', read)
  app.post('/upload', { ...read, config: { upload: true } })
  return app.listen({ port: 0, host: '127.0.0.1' })
}
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: a/b\r\ncontent-length: ${length}\r\n\r\n`

test('408 for a body that does not arrive in time, and for an upload that stops', async () => {
  const url = await start({ bodyMs: 50, uploadPeriodMs: 50, uploadBytes: 10 })
  for (const path of ['/body', '/upload'])
    expectProblem(await rawRequest(url, `${head(path, 100)}begins`), 408, 'request_timeout')
})

test('an upload may take longer than any other body while its bytes keep coming', async () => {
  const url = await start({ bodyMs: 100, uploadPeriodMs: 200, uploadBytes: 1 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(head('/upload', 60))
  const begun = performance.now()
  let sent = 0
  while (sent < 60) {
    socket.write('x')
    sent++
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
  expect(performance.now() - begun).toBeGreaterThan(400)
  socket.destroy()
})

test('an upload that waits for this side is not ended', async () => {
  app = Fastify({ forceCloseConnections: true })
  limitBodyTime(app, { uploadPeriodMs: 20, uploadBytes: 10 })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  let release = () => {}
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const { promise: checked, resolve: check } = Promise.withResolvers<void>()
  app.post('/upload', {
    config: { upload: true },
    handler: async ({ raw }) => {
      // Bytes are there, and nobody reads them.
      raw.read(0)
      setTimeout(check, 200)
      await waiting
      return (await Array.fromAsync(raw)).length > 0 ? 'read' : 'nothing'
    },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`${head('/upload', 100_000)}${'x'.repeat(100_000)}`)
  await checked
  release()
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
  socket.destroy()
})
