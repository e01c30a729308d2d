import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as certificates from '../../../../../test/certificates.ts'
import { readConfig } from '../../../../config.ts'
import { newWebhookSecret, signingKey } from '../../../../lib/crypto/webhook-signature.ts'
import type { Lookup } from '../../../../lib/outbound/dns.ts'
import { type GuardedAgent, guardedAgent } from '../../../../lib/outbound/safe-http.ts'
import { systemClock } from '../../../../lib/runtime/clock.ts'
import { sendSigned } from './send.ts'

const CRLF = '\r\n'
const OK = `HTTP/1.1 200 OK${CRLF}content-length: 2${CRLF}${CRLF}ok`
const { allow } = { allow: readConfig({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128' }).WEBHOOK_ALLOW_CIDRS }
const current = signingKey(newWebhookSecret())

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const portOf = (server: net.Server) => (server.address() as AddressInfo).port

async function listening<T extends net.Server>(server: T, host = '127.0.0.1') {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, host)
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server
}

/** A server that writes raw bytes. `talk` is called for each request, with the number of requests before it. */
async function rawServer(talk: (socket: Socket, before: number) => void, host?: string) {
  let requests = 0
  const connections = { count: 0 }
  const server = await listening(
    net.createServer((socket) => {
      connections.count++
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        // Every request body of these tests ends like this.
        while (text.includes('"end"}')) {
          text = text.slice(text.indexOf('"end"}') + 6)
          talk(socket, requests++)
        }
      })
    }),
    host,
  )
  return { url: `http://127.0.0.1:${portOf(server)}/hook`, port: portOf(server), requests: () => requests, connections }
}

/** Sends one message. Every test has its own connections. */
function sender({ timeoutMs = 400, lookup, proxy }: { timeoutMs?: number; lookup?: Lookup; proxy?: string } = {}) {
  const dispatcher: GuardedAgent = guardedAgent({ allow, proxy, ...(lookup && { lookup }) })
  closers.push(() => Promise.all([dispatcher.destroy(), dispatcher.once.destroy()]))
  const config = readConfig({ WEBHOOK_TIMEOUT_MS: String(timeoutMs) })
  const send = (url: string) =>
    sendSigned(
      { dispatcher, config, clock: systemClock },
      { endpoint: { url, headers: {}, current }, event_id: 'evt', body: '{"data":"end"}' },
    )
  return Object.assign(send, { dispatcher })
}

const sendTo = async (talk: (socket: Socket, before: number) => void) => sender()((await rawServer(talk)).url)

const namesTo =
  (address: string): Lookup =>
  (_, __, answer) =>
    answer(null, [{ address, family: address.includes(':') ? 6 : 4 }])

describe('an unusual response', () => {
  test('a response that comes byte by byte times out, and its status is kept', async () => {
    const sent = await sendTo((socket) => {
      socket.write(`HTTP/1.1 200 OK${CRLF}content-length: 1000${CRLF}${CRLF}`)
      const drip = setInterval(() => socket.write('x'), 50)
      socket.on('close', () => clearInterval(drip))
    })
    expect(sent).toMatchObject({ ok: false, status: 200, error: 'The response began but did not end within 0.4 s.' })
    expect(sent.response).toMatch(/^x{2,9}$/)
    expect(sent.duration_ms).toBeGreaterThanOrEqual(395)
    expect(sent.duration_ms).toBeLessThan(1000)
  })

  test('a byte-by-byte response that is not HTTP fails before the timeout', async () => {
    const sent = await sendTo((socket) => {
      const drip = setInterval(() => socket.write('H'), 50)
      socket.on('close', () => clearInterval(drip))
    })
    expect(sent).toMatchObject({ ok: false, status: null, response: null, error: 'The response is not valid HTTP.' })
  })

  test('an endpoint that accepts the connection and is silent times out, and the connection is closed', async () => {
    let closed: Promise<unknown> | undefined
    const sent = await sendTo((socket) => {
      closed = once(socket, 'close')
    })
    expect(sent).toMatchObject({ ok: false, status: null, error: 'No response within 0.4 s.' })
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
    const later = await sendTo((socket) => {
      socket.write(`HTTP/1.1 200 OK${CRLF}content-length: 9${CRLF}${CRLF}half`)
      setTimeout(() => socket.resetAndDestroy(), 30)
    })
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
  ])('a response with %s fails at once', async (_, answer) => {
    const sent = await sendTo((socket) => socket.write(answer))
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
    expect(sent.duration_ms).toBeLessThan(390)
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
    const send = sender({ timeoutMs: 3000 })
    const origin = `http://127.0.0.1:${portOf(server)}`
    const hanging = Array.from({ length: 100 }, () => send(`${origin}/slow`))
    const fast = await Promise.all(Array.from({ length: 100 }, () => send(`${origin}/fast`)))
    expect(fast.every((sent) => sent.ok && sent.duration_ms < 2500)).toBe(true)
    await send.dispatcher.destroy()
    // Our own stop aborted these, so they count for nobody.
    for (const sent of await Promise.all(hanging))
      expect(sent).toMatchObject({ ok: false, charged: false, error: 'Meydan was stopped during the attempt.' })
  })
})

describe('a kept connection', () => {
  test('a request on a connection that the endpoint has just closed is sent again on a new one', async () => {
    const server = await rawServer((socket, before) => {
      if (before === 1) socket.resetAndDestroy()
      else socket.write(OK)
    })
    const send = sender()
    expect(await send(server.url)).toMatchObject({ ok: true })
    await turn()
    expect(await send(server.url)).toMatchObject({ ok: true, status: 200, response: 'ok' })
    expect([server.requests(), server.connections.count]).toEqual([3, 2])
  })

  test('a request whose connection is closed each time is sent again once', async () => {
    const server = await rawServer((socket, before) => {
      if (before > 0) socket.end()
      else socket.write(OK)
    })
    const send = sender()
    await send(server.url)
    await turn()
    expect(await send(server.url)).toMatchObject({
      ok: false,
      error: 'The connection was closed before a response arrived.',
    })
    expect(server.requests()).toBe(3)
  })

  test('a request is not sent again after the beginning of a response, or on a connection that was new', async () => {
    const server = await rawServer((socket, before) => {
      if (before === 0) socket.write(OK)
      else if (before === 1) socket.end('HTTP/1.1 20')
      else socket.resetAndDestroy()
    })
    const send = sender()
    await send(server.url)
    await turn()
    expect(await send(server.url)).toMatchObject({ ok: false })
    expect(await send(server.url)).toMatchObject({ ok: false })
    expect(server.requests()).toBe(3)
  })
})

describe('an address', () => {
  test.each([
    ['http://10.0.0.1/', 'This address is not allowed.'],
    ['http://[64:ff9b::a00:1]/', 'This address is not allowed.'],
    ['http://127.0.0.1:5432/', 'This address is not allowed.'],
  ])('the forbidden address %s is not called', async (url, error) => {
    expect(await sender()(url)).toMatchObject({ ok: false, status: null, error })
  })

  test('a name with one private address among public ones is not called, and the address is not shown', async () => {
    const lookup: Lookup = (_, __, answer) =>
      answer(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '10.1.2.3', family: 4 },
      ])
    const server = await rawServer((socket) => socket.write(OK))
    const sent = await sender({ lookup })(`http://mixed.test:${server.port}/`)
    expect(sent).toMatchObject({ ok: false, error: 'This address is not allowed.' })
    expect(server.connections.count).toBe(0)
  })

  test.each([
    ['ENOTFOUND', 'The host name was not found.'],
    ['EAI_AGAIN', 'The host name could not be looked up: its name servers do not respond.'],
    ['EAI_FAIL', 'The host name could not be looked up.'],
  ])('a name that cannot be looked up is reported as such (%s)', async (code, error) => {
    const lookup: Lookup = (_, __, answer) => answer(Object.assign(new Error('getaddrinfo'), { code }), [])
    expect(await sender({ lookup })('https://a.test/')).toMatchObject({ ok: false, error })
  })

  test('a lookup without a result times out', async () => {
    const sent = await sender({ lookup: () => undefined })('https://a.test/')
    expect(sent).toMatchObject({ ok: false, error: 'No connection within 0.4 s.' })
  })

  test.each(['nonsense', 'ftp://127.0.0.1/', 'http://127.0.0.1:1024/\u{1F600}?a=b c'])(
    'an attempt at an address that cannot be called fails like any other: %s',
    async (url) => {
      expect(await sender()(url)).toMatchObject({ ok: false, status: null, error: expect.any(String) })
    },
  )

  test('a refused connection is reported as such', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = portOf(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({
      ok: false,
      error: 'The connection was refused: nothing listens on that port.',
    })
  })
})

describe('over TLS', () => {
  beforeAll(() => tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificates.authority]))

  const secure = async (cert: string) =>
    portOf(
      await listening(
        tls.createServer({ cert, key: certificates.key }, (socket) => {
          socket.on('error', () => undefined).on('data', () => socket.write(OK))
        }),
      ),
    )

  test.each([
    ['a valid certificate is accepted', certificates.valid, 'hooks.test', null],
    ['an expired certificate is rejected', certificates.expired, 'hooks.test', 'The TLS certificate has expired.'],
    [
      'a self-signed certificate is rejected',
      certificates.selfSigned,
      'hooks.test',
      'The TLS certificate is self-signed.',
    ],
    [
      'a certificate of another host is rejected',
      certificates.valid,
      'other.test',
      'The TLS certificate is for another host name.',
    ],
  ])('%s', async (_, certificate, host, error) => {
    const port = await secure(certificate)
    const sent = await sender({ lookup: namesTo('127.0.0.1'), timeoutMs: 2000 })(`https://${host}:${port}/`)
    expect(sent).toMatchObject({ ok: error === null, error })
  })

  test('a port that speaks plain http is reported as such', async () => {
    const server: HttpServer = await listening(createServer())
    const send = sender({ lookup: namesTo('127.0.0.1'), timeoutMs: 2000 })
    const sent = await send(`https://hooks.test:${portOf(server)}/`)
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('TLS') })
  })
})
