import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { respondToUnparsable } from '../../server/lib/http/problems.ts'
import { testApp } from '../app.ts'
import { expectStatus, openSession, PASSWORD, sessionCookie, signedIn, withWorkspace } from '../factories.ts'
import { expectProblem } from '../problem.ts'
import { rawRequest } from '../raw-http.ts'

/** The owner's session, for hand-made requests. */
let cookie: string
const t = await testApp()
const owner = await withWorkspace(t)
;({ cookie } = await openSession(t, owner.id))

describe('pipelined requests', () => {
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${cookie}\r\n`

  test('run one after the other, so that each sees what the former one did', async () => {
    const body = '{"content":"sent without waiting"}'
    const create = `${head('POST', '/api/v1/posts')}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const list = `${head('GET', '/api/v1/posts?limit=1')}connection: close\r\n\r\n`
    const { port, hostname } = new URL(t.url)
    const socket = connect(Number(port), hostname)
    socket.write(create + list)
    const responses = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString()
    expect(responses.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200'])
    expect(responses.match(/sent without waiting/g)).toHaveLength(2)
  })

  test('wait while the client does not read the former responses', async () => {
    const reader = await withWorkspace(t)
    for (let n = 0; n < 20; n++) expectStatus(await reader.post('/api/v1/posts', { content: 'x'.repeat(60_000) }), 201)
    const { port, hostname } = new URL(t.url)
    const session = sessionCookie(
      (await t.anyone.post('/api/auth/sign-in/email', { email: reader.email, password: PASSWORD })).headers,
    )
    const pages = `GET /api/v1/posts HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${session}\r\n\r\n`.repeat(20)
    const create = `POST /api/v1/posts HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${session}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 18\r\n\r\n{"content":"last"}`
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.pause()
    socket.write(pages + create)
    const contents = async () =>
      expectStatus(await reader.get('/api/v1/posts?limit=1'), 200).body.data.map(
        ({ content }: { content: string }) => content,
      )
    // Longer than all requests take when nothing holds them up.
    for (let round = 0; round < 40; round++) expect(await contents()).not.toContain('last')
    socket.resume()
    await once(socket, 'close')
    expect(await contents()).toContain('last')
  })
})

test('a client that pipelines hundreds of requests behind a slow one is disconnected', async () => {
  await t.deps.db.transaction().execute(async (tx) => {
    await sql`lock table post in access exclusive mode`.execute(tx)
    const { port, hostname } = new URL(t.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const read = `GET /api/v1/posts HTTP/1.1\r\nhost: meydan.test\r\ncookie: ${cookie}\r\n\r\n`
    socket.write(read.repeat(200))
    await once(socket, 'close')
  })
  expectStatus(await owner.get('/api/v1/posts'), 200)
})

describe('incomplete HTTP requests', () => {
  test('400 without Host and 417 for an unsupported expectation, both as problem documents with a request id', async () => {
    const noHost = await rawRequest(t.url, ['GET /api/v1/me HTTP/1.1', 'connection: close', '', ''])
    expectProblem(noHost, 400, 'malformed_request')
    const lines = ['POST /api/v1/setup HTTP/1.1', 'host: x', 'expect: banana', 'content-length: 0', '', '']
    const expectation = await rawRequest(t.url, lines)
    expectProblem(expectation, 417, 'expectation_failed')
    expectProblem(await rawRequest(t.url, 'this is no HTTP\r\n\r\n'), 400, 'malformed_request')
    const former = ['GET /healthz HTTP/1.0', 'host: x', 'connection: keep-alive', 'transfer-encoding: chunked']
    // Reads until the server closes the connection.
    const chunked = await rawRequest(t.url, [...former, '', '0', '', ''])
    expectProblem(chunked, 400, 'malformed_request')
    expect(chunked.headers.get('connection')).toBe('close')
  })

  test('408 for a request that takes too long to arrive', async () => {
    // Meydan waits a minute; this server has short timeouts and the same error handler.
    const hasty = createServer({ requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 })
    hasty.on('clientError', respondToUnparsable).listen(0, '127.0.0.1')
    await once(hasty, 'listening')
    const address = hasty.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const response = await rawRequest(`http://127.0.0.1:${port}`, 'GET /api/v1/me HTTP/1.1\r\nhost: x\r\n')
    expectProblem(response, 408, 'request_timeout')
    hasty.close()
  })

  test('400 for a body that is not UTF-8, which is not converted', async () => {
    const body = Buffer.from('{"content":"a\xff\xfeb"}', 'latin1')
    const head = ['POST /api/v1/setup HTTP/1.1', 'host: x', 'connection: close', 'content-type: application/json']
    const response = await rawRequest(
      t.url,
      Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n`), body]),
    )
    expectProblem(response, 400, 'malformed_json')
  })
})

describe('X-Forwarded-For', () => {
  test('the address is the one that a trusted proxy reports, and a client cannot change it', async () => {
    const behind = await testApp({ TRUST_PROXY: 'true' })
    const person = await signedIn(behind)
    for (const [forwarded, ip] of [
      ['203.0.113.7, 198.51.100.9', '198.51.100.9'],
      // Without a valid address, the proxy's is used.
      ['garbage', '127.0.0.1'],
      ['fe80::1%eth0', 'fe80::1'],
    ] as const) {
      const response = await person.post(
        '/api/v1/workspaces',
        { name: `From ${forwarded}` },
        { 'x-forwarded-for': forwarded },
      )
      expectStatus(response, 201)
      const entry = await behind.deps.db
        .selectFrom('audit_entry')
        .select('ip')
        .where('target_id', '=', response.body.id)
        .executeTakeFirstOrThrow()
      expect(entry.ip).toBe(ip)
    }
    await behind.close()
  })
})
