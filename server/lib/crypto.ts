import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from './database.ts'
import { locks } from './locks.ts'
import { StartError } from './start-error.ts'

/** What a key in the ring is for. A key never serves two purposes. */
const purposes = ['encryption', 'token', 'auth', 'setup'] as const
export type Purpose = (typeof purposes)[number]
export type NamedKey = { id: string; key: KeyObject }

/** The instance's random keys, unwrapped. They rest in the database wrapped with a key derived from SECRET_KEY. */
export type Keyring = {
  current: (purpose: Purpose) => NamedKey
  /** Throws when the ring has no such key: the data came from another instance. */
  byId: (id: string) => KeyObject
}

const iv = 12
const tag = 16

function encrypt(key: KeyObject, plain: Buffer, place: string) {
  const nonce = randomBytes(iv)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, sealed: Buffer, place: string) {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, iv)).setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(-tag))
  return Buffer.concat([decipher.update(sealed.subarray(iv, -tag)), decipher.final()])
}

/** Encrypts for one place (`table|row id|column`): the result cannot be moved to another row or column. */
export function seal(keyring: Keyring, plain: string, place: string) {
  const { id, key } = keyring.current('encryption')
  return `v1.${id}.${encrypt(key, Buffer.from(plain), place).toString('base64url')}`
}

/** Throws when the text was altered, moved from another place, or sealed with a key that the ring lacks. */
export function unseal(keyring: Keyring, sealed: string, place: string) {
  const [version, id, data] = sealed.split('.')
  if (version !== 'v1' || !id || !data) throw new Error(`Unknown form of encrypted value in ${place}`)
  return decrypt(keyring.byId(id), Buffer.from(data, 'base64url'), place).toString()
}

const wrappingKey = (secret: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'meydan keyring', 32)))

/** Reads the ring, makes what is missing, and rewraps what still rests under the previous secret. */
export async function loadKeyring(db: Db, secret: string, previousSecret?: string): Promise<Keyring> {
  const wrapping = wrappingKey(secret)
  const previous = previousSecret === undefined ? undefined : wrappingKey(previousSecret)
  const place = (id: string) => `keyring|${id}|wrapped`

  const ring = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${locks.keyring})`.execute(tx)
    const rows = await tx.selectFrom('keyring').selectAll().orderBy('created_at').execute()
    const opened = await Promise.all(
      rows.map(async ({ id, purpose, wrapped }) => {
        const attempt = (key: KeyObject) => {
          try {
            return decrypt(key, wrapped, place(id))
          } catch {
            return undefined
          }
        }
        let bytes = attempt(wrapping)
        if (!bytes && previous) {
          bytes = attempt(previous)
          if (bytes)
            await tx
              .updateTable('keyring')
              .set({ wrapped: encrypt(wrapping, bytes, place(id)) })
              .where('id', '=', id)
              .execute()
        }
        if (!bytes)
          throw new StartError(
            'SECRET_KEY does not open the keys in the database. Set the key that this instance was started with; after a change, give the former one as SECRET_KEY_PREVIOUS.',
          )
        return { id, purpose, key: createSecretKey(bytes) }
      }),
    )
    for (const purpose of purposes) {
      if (opened.some((row) => row.purpose === purpose)) continue
      const id = randomBytes(4).toString('hex')
      const bytes = randomBytes(32)
      await tx
        .insertInto('keyring')
        .values({ id, purpose, wrapped: encrypt(wrapping, bytes, place(id)) })
        .execute()
      opened.push({ id, purpose, key: createSecretKey(bytes) })
    }
    return opened
  })

  const keys = new Map(ring.map(({ id, key }) => [id, key]))
  const newest = new Map(ring.map(({ id, purpose, key }) => [purpose, { id, key }]))
  const found = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw new Error(`The key ring has no key ${name}`)
    return value
  }
  return {
    current: (purpose) => found(newest.get(purpose), purpose),
    byId: (id) => found(keys.get(id), id),
  }
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

/** `length` digits of base62, each drawn evenly. */
export function randomBase62(length: number) {
  let digits = ''
  while (digits.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && digits.length < length) digits += base62[byte % 62]
  return digits
}

/** A whole number as base62, zeros in front up to `length`. */
export function toBase62(number: number, length: number) {
  let digits = ''
  for (let rest = number; digits.length < length; rest = Math.floor(rest / 62)) digits = base62[rest % 62] + digits
  return digits
}
