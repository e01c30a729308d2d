import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/problem.ts'
import { rawRequest } from '../../../../test/raw-http.ts'
import { holdTimers } from '../../../../test/timers.ts'
import { until } from '../../../../test/until.ts'
import { limitBodyTime } from './body-timeout.ts'

let app: FastifyInstance | undefined
/** The part of the body that the routes have read. */
let received = ''
beforeEach(() => {
  received = ''
})
afterEach(() => app?.close())

/** A server with short times, whose routes read their body to its end. */
async function start(times: Parameters<typeof limitBodyTime>[1]) {
  app = Fastify({ forceCloseConnections: true })
  limitBodyTime(app, times)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const read = {
    handler: async ({ raw }: { raw: AsyncIterable<Buffer> }) => {
      for await (const chunk of raw) received += chunk
      return received
    },
  }
  app.post('/body', read)
  app.post('/upload', { ...read, config: { upload: true } })
  return app.listen({ port: 0, host: '127.0.0.1' })
}
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: a/b\r\ncontent-length: ${length}\r\n\r\n`

test('408 for a body that does not arrive in time, and for an upload that stops', async () => {
  const limit = holdTimers(50)
  const url = await start({ bodyMs: 50, uploadPeriodMs: 50, uploadBytes: 10 })
  for (const path of ['/body', '/upload']) {
    received = ''
    const response = rawRequest(url, `${head(path, 100)}begins`)
    await until(() => expect(received).toBe('begins'))
    limit.expire()
    expectProblem(await response, 408, 'request_timeout')
  }
})

test('an upload may take longer than any other body while its bytes keep coming', async () => {
  const body = holdTimers(100)
  const period = holdTimers(200)
  const url = await start({ bodyMs: 100, uploadPeriodMs: 200, uploadBytes: 1 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(head('/upload', 10))
  await until(() => expect(period.count()).toBe(1))
  for (let sent = 1; sent < 10; sent++) {
    socket.write('x')
    await until(() => expect(received).toHaveLength(sent))
    period.expire()
  }
  socket.write('x')
  const [response] = await once(socket, 'data')
  expect(String(response)).toMatch(/^HTTP\/1.1 200 /)
  expect([body.started(), period.started()]).toEqual([0, 1])
  socket.destroy()
})

test('an upload that waits for this side is not ended', async () => {
  app = Fastify({ forceCloseConnections: true })
  const period = holdTimers(200)
  limitBodyTime(app, { uploadPeriodMs: 200, uploadBytes: 10 })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const { promise: waiting, resolve: release } = Promise.withResolvers<void>()
  let unread = 0
  app.post('/upload', {
    config: { upload: true },
    handler: async ({ raw }) => {
      // Bytes are there, and nobody reads them.
      raw.once('readable', () => {
        unread = raw.readableLength
      })
      await waiting
      return (await Array.fromAsync(raw)).length > 0 ? 'read' : 'nothing'
    },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`${head('/upload', 100_000)}${'x'.repeat(100_000)}`)
  await until(() => expect(unread).toBeGreaterThan(0))
  for (let checks = 0; checks < 10; checks++) period.expire()
  release()
  const [response] = await once(socket, 'data')
  expect(String(response)).toMatch(/^HTTP\/1.1 200 /)
  socket.destroy()
})
