/** What a proxy has to do for Meydan. Each check returns a sentence for the report, or throws. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import type { AiServer } from '../../test/stand-ins/ai-server.ts'

type Call = { headers?: Record<string, string>; body?: object | Readable; from?: string }

/** Calls Meydan through the proxy, as a client outside. `authority`: the certificate that it trusts. */
export function createVisitor(domain: string, authority: string, token: string) {
  const open = async (method: string, path: string, { headers = {}, body, from }: Call = {}) => {
    const isJson = body !== undefined && !(body instanceof Readable)
    const call = request({
      host: domain,
      path,
      method,
      ca: authority,
      ...(from && { localAddress: from }),
      agent: false,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    })
    const sent = pipeline(body instanceof Readable ? body : Readable.from(isJson ? [JSON.stringify(body)] : []), call)
    const responded = once(call, 'response')
    await Promise.all([sent, responded])
    const [message] = (await responded) as [IncomingMessage]
    return message
  }
  const send = async (method: string, path: string, call?: Call) => {
    const message = await open(method, path, call)
    let text = ''
    for await (const piece of message) text += piece
    return { status: message.statusCode, headers: message.headers, text }
  }
  return {
    domain,
    authority,
    authorization: { authorization: `Bearer ${token}` },
    open,
    send,
    isReady: () =>
      send('GET', '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      ),
  }
}

type Visitor = ReturnType<typeof createVisitor>

export async function checkHttps({ domain, authority, send }: Visitor) {
  const plain = requestPlain({ host: domain, path: '/docs?x=1' }).end()
  const [redirect] = (await once(plain, 'response')) as [IncomingMessage]
  redirect.resume()
  assert.ok([301, 308].includes(redirect.statusCode ?? 0))
  assert.equal(redirect.headers.location, `https://${domain}/docs?x=1`)

  const session = connect(`https://${domain}`, { ca: authority })
  await once(session, 'connect')
  assert.equal(session.alpnProtocol, 'h2')
  session.close()

  const { headers } = await send('GET', '/')
  assert.match(String(headers['strict-transport-security']), /max-age=/)
  assert.ok(headers['content-security-policy'])
  return 'HTTPS: HTTP/1.1 and HTTP/2, a redirect from HTTP, Strict-Transport-Security'
}

const CLIENT = '127.0.0.9'
const FORGED = '203.0.113.9'

/** Signs in from an address, with a header that names another one. */
export async function checkAddress({ send }: Visitor, person: { email: string; password: string }) {
  const response = await send('POST', '/api/auth/sign-in/email', {
    body: person,
    from: CLIENT,
    headers: { 'x-forwarded-for': FORGED, 'x-forwarded-host': 'evil.example' },
  })
  assert.equal(response.status, 200)
  const cookies = response.headers['set-cookie'] ?? []
  assert.ok(cookies.length > 0 && cookies.every((cookie) => /; Secure/i.test(cookie)))
  const cookie = cookies.map((line) => line.split(';', 1)[0]).join('; ')
  const sessions = await send('GET', '/api/v1/me/sessions', { headers: { cookie } })
  const { data } = JSON.parse(sessions.text) as { data: { current: boolean; ip_address: string }[] }
  assert.equal(data.find(({ current }) => current)?.ip_address, CLIENT)
  return 'Address: that of the client, also when it sends a forged X-Forwarded-For; cookies are Secure'
}

/** The provider sends a part only when the one before has arrived here. */
export async function checkEvents({ open, authorization }: Visitor, provider: AiServer) {
  const sendNext = provider.holdParts()
  const stream = await open('POST', '/api/v1/public/ai/generate/text', {
    body: { prompt: 'Say hello' },
    headers: { ...authorization, accept: 'text/event-stream' },
  })
  assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
  let deltas = 0
  for await (const piece of stream) {
    deltas += String(piece).split('event: delta').length - 1
    sendNext()
  }
  assert.equal(deltas, provider.script.parts.length)
  return `Event stream: each of ${deltas} events arrived before the next was written`
}

/** The largest video. */
const UPLOAD = 2_000_000_000
const UPLOADS = '/api/v1/public/media/uploads'
const MAX_TRIES = 10
const PIECE = Buffer.alloc(256 * 1024)

/** Uploads a video, breaks the connection in the middle, and continues. */
export async function checkUpload({ send, authorization }: Visitor) {
  const head = await videoHead()
  const headers = { ...authorization, 'tus-resumable': '1.0.0' }
  const begun = await send('POST', UPLOADS, { headers: { ...headers, 'upload-length': String(UPLOAD) } })
  assert.equal(begun.status, 201)
  const path = new URL(String(begun.headers.location), 'http://localhost').pathname
  const patch = (offset: number, body: Readable) =>
    send('PATCH', path, {
      body,
      headers: { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    })

  const start = performance.now()
  const cut = new Error('The connection is cut')
  await assert.rejects(patch(0, Readable.from(bytesOf(head, 0, UPLOAD / 2, cut))))
  const offsets: number[] = []
  let media_id: unknown
  while (media_id === undefined && offsets.length < MAX_TRIES) {
    // A proxy may tell Meydan a moment later that the client is gone. Until then, the upload is in use.
    if (offsets.length > 0) await sleep(1000)
    const found = await send('HEAD', path, { headers })
    const offset = Number(found.headers['upload-offset'])
    offsets.push(offset)
    const done = await patch(offset, Readable.from(bytesOf(head, offset, UPLOAD))).catch(() => undefined)
    if (done?.status === 204) media_id = done.headers['upload-media-id']
  }
  const [offset = 0] = offsets
  assert.ok(offset > 0 && offset <= UPLOAD / 2, `offsets ${offsets}`)
  const record = await send('GET', `/api/v1/public/media/${media_id}`, {
    headers: authorization,
  })
  assert.equal((JSON.parse(record.text) as { bytes: number }).bytes, UPLOAD)
  const seconds = Math.round((performance.now() - start) / 1000)
  return `Upload: ${UPLOAD / 1e9} GB, cut after ${Math.round(offset / 1e6)} MB and continued at try ${offsets.length}, in ${seconds} s`
}

/** A video of a second, and the header of a box that fills the file up. */
async function videoHead() {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 }
  // Other bytes each time, because a workspace keeps every file once.
  const frame = crypto.getRandomValues(new Uint8Array(500))
  for (let index = 0; index < 25; index++)
    await source.add(new EncodedPacket(frame, index ? 'delta' : 'key', index / 25, 0.04), { decoderConfig })
  await output.finalize()
  const video = Buffer.from(target.buffer ?? new ArrayBuffer())
  const box = Buffer.alloc(8)
  box.writeUInt32BE(UPLOAD - video.length)
  box.write('free', 4)
  return Buffer.concat([video, box])
}

/** The bytes of the file from `begin` to `end`, then the fault. After the head, there are zeros. */
function* bytesOf(head: Buffer, begin: number, end: number, fault?: Error) {
  if (begin < head.length) yield head.subarray(begin)
  for (let at = Math.max(begin, head.length); at < end; at += PIECE.length) yield PIECE.subarray(0, end - at)
  if (fault) throw fault
}

/** Sends requests while a node ends. */
export async function checkNodes({ send, authorization }: Visitor, stopNode: () => Promise<unknown>) {
  let stopped = false
  const stop = stopNode().then(() => {
    stopped = true
  })
  let count = 0
  for (let after = 0; after < 20; after += stopped ? 1 : 0) {
    const { status } = await send('GET', '/api/v1/public/token', { headers: authorization })
    assert.equal(status, 200)
    count++
  }
  await stop
  return `Nodes: ${count} of ${count} requests succeeded while one of two nodes stopped, and after it`
}
