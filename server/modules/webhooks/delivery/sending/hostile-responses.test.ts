import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { piecesRead } from '../../../../../test/outbound.ts'
import { holdTimers, stopPerformanceClock } from '../../../../../test/timers.ts'
import { CRLF, listening, namesTo, OK, portOf, rawServer, sender, sendTo } from './receivers.fixture.ts'

test('a response that comes byte by byte times out, and its status is kept', async () => {
  const advance = stopPerformanceClock()
  const limit = holdTimers(400)
  const { url } = await rawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK${CRLF}content-length: 100000${CRLF}${CRLF}`)
    const drip = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  const sending = sender({ timeoutMs: 400 })(url)
  await piecesRead(url, 3)
  advance(400)
  limit.expire()
  const sent = await sending
  expect(sent).toMatchObject({ ok: false, status: 200, error: 'The response began but did not end within 0.4 s.' })
  expect(sent.response).toMatch(/^x{3,}$/)
  expect(sent.duration_ms).toBe(400)
  // No byte prolongs the attempt.
  expect(limit.started()).toBe(1)
})

test('a byte-by-byte response that is not HTTP fails without the timeout', async () => {
  const sent = await sendTo((socket) => {
    const drip = setInterval(() => socket.write('H'), 50)
    socket.on('close', () => clearInterval(drip))
  })
  expect(sent).toMatchObject({ ok: false, status: null, response: null, error: 'The response is not valid HTTP.' })
})

test('an endpoint that accepts the connection and is silent times out, and the connection is closed', async () => {
  const limit = holdTimers(400)
  const { promise: asked, resolve } = Promise.withResolvers<Socket>()
  const { url } = await rawServer(resolve)
  const sending = sender({ timeoutMs: 400 })(url)
  const closed = once(await asked, 'close')
  limit.expire()
  expect(await sending).toMatchObject({ ok: false, status: null, error: 'No response within 0.4 s.' })
  await closed
})

test('a complete response is a success although the connection stays open', async () => {
  const sent = await sendTo((socket) => socket.write(OK))
  expect(sent).toMatchObject({ ok: true, status: 200, response: 'ok', error: null })
})

test('a response of 10 GB is cut off at 16 KB, and does not fill the memory', async () => {
  const chunk = Buffer.alloc(1_000_000, 'x')
  let written = 0
  const { url } = await rawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK${CRLF}content-length: 10000000000${CRLF}${CRLF}`)
    const more = () => {
      while (!socket.destroyed && written < 10e9 && socket.write(chunk)) written += chunk.length
      written += chunk.length
    }
    socket.on('drain', more)
    more()
  })
  const send = sender()
  const before = process.memoryUsage()
  for (let round = 0; round < 20; round++) {
    const sent = await send(url)
    expect(sent).toMatchObject({ ok: true, status: 200 })
    expect(sent.response).toHaveLength(16_384)
  }
  const { rss } = process.memoryUsage()
  expect(rss - before.rss).toBeLessThan(100_000_000)
  // The system buffers some of the data for each of the twenty connections.
  expect(written).toBeLessThan(200_000_000)
})

test('a stored response has no NUL, and no half character at its end', async () => {
  const body = `\0a${'ü'.repeat(10_000)}`
  const sent = await sendTo((socket) =>
    socket.write(`HTTP/1.1 500 No${CRLF}content-length: ${Buffer.byteLength(body)}${CRLF}${CRLF}${body}`),
  )
  expect(sent).toMatchObject({ ok: false, status: 500, error: null })
  expect(sent.response).toBe(`\uFFFDa${'ü'.repeat(8191)}`)
  const odd = await sendTo((socket) =>
    socket.write(`HTTP/1.1 200 OK${CRLF}content-length: 20001${CRLF}${CRLF}a${'ü'.repeat(10_000)}`),
  )
  expect(odd.response).toBe(`a${'ü'.repeat(8191)}`)
})

test('a connection that is reset is a failure', async () => {
  const sent = await sendTo((socket) => socket.resetAndDestroy())
  expect(sent).toMatchObject({
    ok: false,
    status: null,
    error: 'The connection was closed before a response arrived.',
  })
  let cut: Socket | undefined
  const { url } = await rawServer((socket) => {
    cut = socket
    socket.write(`HTTP/1.1 200 OK${CRLF}content-length: 9${CRLF}${CRLF}half`)
  })
  const sending = sender()(url)
  await piecesRead(url)
  cut?.resetAndDestroy()
  const later = await sending
  expect(later).toMatchObject({ ok: false, status: 200, response: 'half' })
  expect(later.error).toBe('The connection was closed in the middle of the response.')
})

test('a response that is shorter than its Content-Length is a failure', async () => {
  const sent = await sendTo((socket) => socket.end(`HTTP/1.1 200 OK${CRLF}content-length: 9${CRLF}${CRLF}half`))
  expect(sent).toMatchObject({ ok: false, status: 200, response: 'half' })
  expect(sent.error).toMatch(/in the middle of the response|Content-Length/)
})

test('bytes after the end of a response are not taken for the next response', async () => {
  const { url } = await rawServer((socket, before) =>
    socket.write(before === 0 ? OK + OK.replace('ok', 'no') : OK.replace('200 OK', '500 No')),
  )
  const send = sender()
  expect(await send(url)).toMatchObject({ ok: true, response: 'ok' })
  await turn()
  expect(await send(url)).toMatchObject({ ok: false, status: 500 })
})

test.each([
  ['chunks of no length', `HTTP/1.1 200 OK${CRLF}transfer-encoding: chunked${CRLF}${CRLF}nonsense${CRLF}`],
  ['another protocol', `SSH-2.0-OpenSSH_9.9${CRLF}`],
  ['a status of two digits', `HTTP/1.1 99 What${CRLF}content-length: 0${CRLF}${CRLF}`],
  [
    'a switch of protocols',
    `HTTP/1.1 101 Switching Protocols${CRLF}upgrade: x${CRLF}connection: upgrade${CRLF}${CRLF}`,
  ],
  ['100 Continue unasked', `HTTP/1.1 100 Continue${CRLF}${CRLF}`],
])('a response with %s fails at once', async (_, response) => {
  const sent = await sendTo((socket) => socket.write(response))
  expect(sent).toMatchObject({ ok: false, error: 'The response is not valid HTTP.' })
})

test('a response with status 999 is a failure', async () => {
  const sent = await sendTo((socket) => socket.write(OK.replace('200', '999')))
  expect(sent).toMatchObject({ ok: false, status: 999, response: 'ok', error: null })
})

test.each(['000', '099'])(
  'a response with status %s is reported as invalid HTTP, and the next one is read',
  async (status) => {
    const { url } = await rawServer((socket, before) => socket.write(before === 0 ? OK.replace('200', status) : OK))
    const send = sender()
    expect(await send(url)).toMatchObject({ ok: false, status: null, error: 'The response is not valid HTTP.' })
    expect(await send(url)).toMatchObject({ ok: true, status: 200 })
  },
)

test('a response with 100 KB of headers fails at once', async () => {
  const sent = await sendTo((socket) => socket.write(`HTTP/1.1 200 OK${CRLF}x: ${'x'.repeat(100_000)}${CRLF}${CRLF}`))
  expect(sent).toMatchObject({ ok: false, error: 'The headers of the response are too large.' })
})

test('a flood of interim responses fails at once, and a few of them are accepted', async () => {
  const early = `HTTP/1.1 103 Early Hints${CRLF}link: </x>${CRLF}${CRLF}`
  expect(await sendTo((socket) => socket.write(early.repeat(3) + OK))).toMatchObject({ ok: true, status: 200 })
  const sent = await sendTo((socket) => {
    const flood = setInterval(() => socket.write(early.repeat(1000)), 5)
    socket.on('close', () => clearInterval(flood))
  })
  expect(sent).toMatchObject({ ok: false, status: null, error: 'The response is not valid HTTP.' })
})

test('a compressed response is not inflated', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const sent = await sendTo((socket) => {
    socket.write(`HTTP/1.1 200 OK${CRLF}content-encoding: gzip${CRLF}content-length: ${bomb.length}${CRLF}${CRLF}`)
    socket.write(bomb)
  })
  expect(sent).toMatchObject({ ok: true, status: 200 })
  expect(sent.response?.length).toBeLessThanOrEqual(16_384)
})

test.each([301, 302, 303, 307, 308])('a redirect with %i is a failure, and is not followed', async (status) => {
  let visits = 0
  const server: HttpServer = await listening(
    createServer((request, response) => {
      visits++
      const to = request.url === '/hook' ? '/elsewhere' : 'http://169.254.169.254/latest/meta-data/'
      response.writeHead(status, { location: to }).end()
    }),
  )
  const send = sender()
  for (const path of ['/hook', '/meta'])
    expect(await send(`http://127.0.0.1:${portOf(server)}${path}`)).toMatchObject({ ok: false, status, error: null })
  expect(visits).toBe(2)
})

test('an endpoint with only an IPv6 address is reached', async () => {
  const { port } = await rawServer((socket) => socket.write(OK), '::1')
  expect(await sender()(`http://[::1]:${port}/hook`)).toMatchObject({ ok: true })
  expect(await sender({ lookup: namesTo('::1') })(`http://six.test:${port}/hook`)).toMatchObject({ ok: true })
})

test('the Retry-After header of a 503 response is reported', async () => {
  const sent = await sendTo((socket) =>
    socket.write(`HTTP/1.1 503 Busy${CRLF}retry-after: 120${CRLF}content-length: 0${CRLF}${CRLF}`),
  )
  expect(sent).toMatchObject({ ok: false, status: 503, response: '', retry_after_s: 120 })
})

test('requests that hang do not delay others to the same host', async () => {
  const server = await listening(
    createServer((request, response) => {
      if (request.url === '/fast') request.resume().on('end', () => response.end('ok'))
    }),
  )
  const send = sender()
  const origin = `http://127.0.0.1:${portOf(server)}`
  let ended = 0
  const hanging = Array.from({ length: 100 }, () => send(`${origin}/slow`).finally(() => ended++))
  const fast = await Promise.all(Array.from({ length: 100 }, () => send(`${origin}/fast`)))
  expect(fast.every((sent) => sent.ok)).toBe(true)
  expect(ended).toBe(0)
  await send.dispatcher.destroy()
  // Our own stop aborted these, so they count for nobody.
  for (const sent of await Promise.all(hanging))
    expect(sent).toMatchObject({ ok: false, charged: false, error: 'Meydan was stopped during the attempt.' })
})
