import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { type Call, networkServer } from './server.ts'

const HEADER_BYTES = 21
const TAG_BYTES = 16
/** Push services need to accept no more than this. */
const MAX_BODY_BYTES = 4096

const info = (name: string) => Buffer.from(`Content-Encoding: ${name}\0`)

/** A browser with the keys of its subscription. */
function browserKeys() {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  /** Decrypts a message as browsers do (RFC 8291). */
  const decrypt = (body: Buffer) => {
    const salt = body.subarray(0, 16)
    const sender = body.subarray(HEADER_BYTES, HEADER_BYTES + body.readUInt8(HEADER_BYTES - 1))
    const about = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
    const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, about, 32))
    const key = Buffer.from(hkdfSync('sha256', secret, salt, info('aes128gcm'), 16))
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, info('nonce'), 12))
    const sealed = body.subarray(HEADER_BYTES + sender.length)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-TAG_BYTES))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
    // The last record ends with 2, and zeros after it.
    const text = padded.subarray(0, padded.lastIndexOf(2)).toString()
    return { text, bytes: Buffer.byteLength(text), message: JSON.parse(text) as Record<string, unknown> }
  }
  const keys = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }
  return { keys, decrypt }
}

/** The claims of the token in `Authorization`, and the key that it names. Throws when its signature is wrong (RFC 8292). */
function claimsOf({ headers }: Call) {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The signature of the token is wrong')
  return {
    key,
    ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; sub: string; exp: number }),
  }
}

/** A push service as RFC 8030 has it, and the browsers that it serves. */
export async function pushService() {
  const server = await networkServer({
    handle: ({ raw }) => (raw.length > MAX_BODY_BYTES ? { status: 413 } : { status: 201 }),
    errorOf: (status) => ({ status }),
    isPost: () => true,
    isUpload: () => false,
    failures: {},
    endTokens: () => undefined,
    stored: () => [],
  })
  const browser = () => {
    const { keys, decrypt } = browserKeys()
    const path = `/send/${randomBytes(12).toString('base64url')}`
    const calls = () => server.calls.filter((call) => call.path === path)
    return {
      subscription: { endpoint: `${server.url}${path}`, keys },
      /** All calls for this browser, also those that failed. */
      calls,
      /** The messages of all calls, decrypted. */
      messages: () => calls().map(({ raw }) => decrypt(raw).message),
      sizes: () => calls().map(({ raw }) => decrypt(raw).bytes),
    }
  }
  return { url: server.url, failNext: server.failNext, browser, claimsOf, close: server.close }
}
