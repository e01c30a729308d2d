import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Purposes of the keys in the ring. Each key serves one purpose only. */
export const purposes = [
  'encryption',
  'token',
  'auth',
  'setup',
  'idempotency',
  'media',
  'client_link',
  'calendar_feed',
  'unsubscribe',
] as const
export type Purpose = (typeof purposes)[number]
export type NamedKey = { id: string; key: KeyObject }

/** The instance's random keys, unwrapped (`keyring.ts`). */
export type Keyring = {
  /** The key that new values are encrypted or signed with. */
  current: (purpose: Purpose) => NamedKey
  /** The key with this id. Throws when the ring has no such key. */
  byId: (id: string) => KeyObject
}

const iv = 12
const tag = 16

export function encrypt(key: KeyObject, plain: Buffer, context: string) {
  const nonce = randomBytes(iv)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export function decrypt(key: KeyObject, sealed: Buffer, context: string) {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, iv)).setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-tag))
  return Buffer.concat([decipher.update(sealed.subarray(iv, -tag)), decipher.final()])
}

/** Encrypts for one context (`table|row id|column`): the result cannot be moved to another row or column. */
export function seal(keyring: Pick<Keyring, 'current'>, plain: string, context: string) {
  const { id, key } = keyring.current('encryption')
  return `v1.${id}.${encrypt(key, Buffer.from(plain), context).toString('base64url')}`
}

/** Throws when the text was altered, moved from another context, or sealed with a key that is not in the ring. */
export function unseal(keyring: Pick<Keyring, 'byId'>, sealed: string, context: string) {
  const [version, id, data] = sealed.split('.')
  if (version !== 'v1' || !id || !data) throw new Error(`Unknown format of the encrypted value in ${context}`)
  return decrypt(keyring.byId(id), Buffer.from(data, 'base64url'), context).toString()
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

export const hmac = (key: KeyObject | string | Buffer, ...parts: (string | Buffer)[]) => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac
}

/** Compares in a time that depends on the lengths only. */
export function equalInConstantTime(a: string, b: string) {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Generates `length` random base62 digits, uniformly distributed. */
export function randomBase62(length: number) {
  let digits = ''
  while (digits.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && digits.length < length) digits += base62[byte % 62]
  return digits
}

/** Writes a whole number in base62, padded with zeros to `length`. */
export function toBase62(number: number, length: number) {
  let digits = ''
  for (let rest = number; digits.length < length; rest = Math.floor(rest / 62)) digits = base62[rest % 62] + digits
  return digits
}
