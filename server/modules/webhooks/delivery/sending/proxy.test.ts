import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as certificates from '../../../../../test/certificates.ts'
import { holdTimers } from '../../../../../test/timers.ts'
import { readConfig } from '../../../../config/config.ts'
import { newWebhookSecret, signingKey } from '../../../../lib/crypto/webhook-signature.ts'
import { guardedAgent } from '../../../../lib/outbound/safe-http.ts'
import { systemClock } from '../../../../lib/runtime/clock.ts'
import { sendSigned } from './send.ts'

const current = signingKey(newWebhookSecret())

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function listening(server: net.Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const target = () =>
  listening(createServer((request, response) => request.resume().on('end', () => response.end('ok'))))

/** A CONNECT proxy that resolves every name to this machine. `respond` returns a response instead of a tunnel. */
async function proxyServer(respond?: (request: IncomingMessage) => string) {
  const asked: string[] = []
  const credentials: (string | undefined)[] = []
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '')
    credentials.push(request.headers['proxy-authorization'])
    const refusal = respond?.(request)
    if (refusal !== undefined) return socket.end(refusal)
    const port = Number(request.url?.split(':').at(-1))
    const way = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(way).pipe(socket)
    })
    way.on('error', () => socket.destroy())
    socket.on('error', () => way.destroy()).on('close', () => way.destroy())
  })
  return { port: await listening(server), asked, credentials }
}

function sender(proxy: string, { allow = '', allowHttp = true, connectTimeoutMs = 45_000 } = {}) {
  const dispatcher = guardedAgent({
    allow: readConfig({ WEBHOOK_ALLOW_CIDRS: allow }).WEBHOOK_ALLOW_CIDRS,
    allowHttp,
    connectTimeoutMs,
    proxy,
    lookup: () => {
      throw new Error('names are resolved by the proxy')
    },
  })
  closers.push(() => Promise.all([dispatcher.destroy(), dispatcher.once.destroy()]))
  const config = readConfig({ WEBHOOK_TIMEOUT_MS: '45000' })
  return (url: string) =>
    sendSigned(
      { dispatcher, config, clock: systemClock },
      { endpoint: { url, headers: {}, current }, event_id: 'evt', body: '{}' },
    )
}

const sendBy = async (respond: (request: IncomingMessage) => string) =>
  sender(`http://127.0.0.1:${(await proxyServer(respond)).port}`)('https://hooks.test/')

describe('with WEBHOOK_PROXY_URL', () => {
  beforeAll(() => tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificates.authority]))

  test('plain http goes through a tunnel too, and the proxy resolves the name', async () => {
    const port = await target()
    const proxy = await proxyServer()
    const sent = await sender(`http://127.0.0.1:${proxy.port}`)(`http://hooks.test:${port}/`)
    expect(sent).toMatchObject({ ok: true, status: 200, response: 'ok' })
    expect([proxy.asked, proxy.credentials]).toEqual([[`hooks.test:${port}`], [undefined]])
  })

  test('the TLS connection is made with the endpoint, and its certificate is checked', async () => {
    const server = (cert: string) =>
      listening(
        tls.createServer({ cert, key: certificates.key }, (socket) => {
          socket.on('error', () => undefined)
          socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
        }),
      )
    const send = sender(`http://127.0.0.1:${(await proxyServer()).port}`)
    expect(await send(`https://hooks.test:${await server(certificates.valid)}/`)).toMatchObject({ ok: true })
    const expired = await send(`https://hooks.test:${await server(certificates.expired)}/`)
    expect(expired).toMatchObject({ ok: false, error: 'The TLS certificate has expired.' })
    expect(expired.charged).toBeUndefined()
  })

  test('the user name and password of the URL are sent to the proxy', async () => {
    const port = await target()
    const proxy = await proxyServer()
    await sender(`http://me:p%40ss@127.0.0.1:${proxy.port}`)(`http://hooks.test:${port}/`)
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`])
  })

  test('literal addresses and ports are checked before the proxy is called', async () => {
    const proxy = await proxyServer()
    const send = sender(`http://127.0.0.1:${proxy.port}`, { allowHttp: false })
    for (const url of [
      'https://10.0.0.1/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://hooks.test:25/',
      'http://hooks.test/',
    ])
      expect(await send(url)).toMatchObject({ ok: false, error: 'This address is not allowed.' })
    expect(proxy.asked).toEqual([])
  })

  test('an allowed IPv6 address is sent to the proxy in brackets', async () => {
    const port = await target()
    const proxy = await proxyServer()
    const sent = await sender(`http://127.0.0.1:${proxy.port}`, { allow: '::1/128' })(`http://[::1]:${port}/`)
    expect([sent.ok, proxy.asked]).toEqual([true, [`[::1]:${port}`]])
  })
})

describe('a failure of the proxy', () => {
  test.each([
    [407, 'The proxy rejected the credentials in WEBHOOK_PROXY_URL.'],
    [502, 'The proxy did not open a tunnel to this address (502).'],
    [503, 'The proxy did not open a tunnel to this address (503).'],
    [500, 'The proxy did not open a tunnel to this address (500).'],
  ])('a proxy that responds %i is not charged to the endpoint', async (status, error) => {
    const sent = await sendBy(() => `HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
    expect(sent).toMatchObject({ ok: false, status: null, error, charged: false })
  })

  test('a proxy that is down or closes the connection is not charged to the endpoint', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    expect(await sender(`http://127.0.0.1:${port}`)('https://hooks.test/')).toMatchObject({
      error: 'The proxy could not be reached.',
      charged: false,
    })
    const rude = await listening(net.createServer((socket) => socket.on('data', () => socket.destroy())))
    expect(await sender(`http://127.0.0.1:${rude}`)('https://hooks.test/')).toMatchObject({
      error: 'The proxy closed the connection.',
      charged: false,
    })
  })
})

describe('a failure of the endpoint behind the proxy', () => {
  test.each([
    ['it may not be called', 'HTTP/1.1 403 Forbidden\r\n'],
    ['its name is not known', 'HTTP/1.1 502 Bad Gateway\r\nproxy-status: edge; error=dns_error; rcode=NXDOMAIN\r\n'],
    ['it refuses connections', 'HTTP/1.1 502 Bad Gateway\r\nproxy-status: edge; error=connection_refused\r\n'],
    ['Smokescreen denies it', 'HTTP/1.1 407 Denied\r\nx-smokescreen-error: destination address was denied\r\n'],
    ['Squid cannot reach it', 'HTTP/1.1 503 Unavailable\r\nx-squid-error: ERR_CONNECT_FAIL 111\r\n'],
  ])('the endpoint is charged when %s', async (_, head) => {
    const sent = await sendBy(() => `${head}content-length: 0\r\n\r\n`)
    expect(sent).toMatchObject({
      ok: false,
      error: expect.stringContaining('could not reach this address or does not allow it'),
    })
    expect(sent.charged).toBeUndefined()
  })

  test('the endpoint is charged when the proxy cannot connect to it before the timeout', async () => {
    const limit = holdTimers(100)
    const { promise: asked, resolve } = Promise.withResolvers<Buffer>()
    const silent = await listening(net.createServer((socket) => socket.on('data', resolve)))
    const sending = sender(`http://127.0.0.1:${silent}`, { connectTimeoutMs: 100 })('https://hooks.test/')
    await asked
    limit.expire()
    const sent = await sending
    expect(sent).toMatchObject({ ok: false, error: 'The proxy did not reach this address in time.' })
    expect(sent.charged).toBeUndefined()
  })
})
