import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import net from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import tls from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import * as certificates from '../../../../../test/certificates.ts'
import { holdTimers } from '../../../../../test/timers.ts'
import type { Lookup } from '../../../../lib/outbound/dns.ts'
import { listening, namesTo, OK, portOf, rawServer, sender } from './receivers.fixture.ts'

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
    const lookup: Lookup = (_, __, response) =>
      response(null, [
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
    const lookup: Lookup = (_, __, response) => response(Object.assign(new Error('getaddrinfo'), { code }), [])
    expect(await sender({ lookup })('https://a.test/')).toMatchObject({ ok: false, error })
  })

  test('a lookup without a result times out', async () => {
    const limit = holdTimers(400)
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const sending = sender({ timeoutMs: 400, lookup: () => resolve() })('https://a.test/')
    await asked
    limit.expire()
    expect(await sending).toMatchObject({ ok: false, error: 'No connection within 0.4 s.' })
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
    const sent = await sender({ lookup: namesTo('127.0.0.1') })(`https://${host}:${port}/`)
    expect(sent).toMatchObject({ ok: error === null, error })
  })

  test('a port that speaks plain http is reported as such', async () => {
    const server: HttpServer = await listening(createServer())
    const send = sender({ lookup: namesTo('127.0.0.1') })
    const sent = await send(`https://hooks.test:${portOf(server)}/`)
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining('TLS') })
  })
})
