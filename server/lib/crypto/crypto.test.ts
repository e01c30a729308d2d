import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { equalInConstantTime, type Keyring, randomBase62, seal, toBase62, unseal } from './crypto.ts'
import { loadKeyring } from './keyring.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let connected: Database
let keyring: Keyring
beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'))
  connected = createDatabase(database.connection)
  keyring = await loadKeyring(connected.db, 'first secret key')
})
afterAll(async () => {
  await connected.close()
  await database.drop()
})

describe('the key ring', () => {
  test('is made once, also when nodes start at the same time', async () => {
    const fresh = await cloneDatabase(inject('postgres'))
    const { db, close } = createDatabase(fresh.connection)
    const rings = await Promise.all(Array.from({ length: 5 }, () => loadKeyring(db, 'secret')))
    expect(new Set(rings.map((ring) => ring.current('token').id)).size).toBe(1)
    await close()
    await fresh.drop()
  })

  test('opens again with the same SECRET_KEY, and with no other', async () => {
    const again = await loadKeyring(connected.db, 'first secret key')
    expect(again.current('encryption').id).toBe(keyring.current('encryption').id)
    await expect(loadKeyring(connected.db, 'wrong')).rejects.toThrow('SECRET_KEY cannot decrypt')
  })

  test('is rewrapped when SECRET_KEY changes, and what it sealed stays readable', async () => {
    const sealed = seal(keyring, 'credentials', 'account|1|credentials')
    const rewrapped = await loadKeyring(connected.db, 'second secret key', 'first secret key')
    expect(unseal(rewrapped, sealed, 'account|1|credentials')).toBe('credentials')
    await expect(loadKeyring(connected.db, 'first secret key')).rejects.toThrow('SECRET_KEY cannot decrypt')
    await loadKeyring(connected.db, 'first secret key', 'second secret key')
  })
})

describe('a sealed value', () => {
  const place = 'webhook|1|secret'
  test('differs each time it is sealed', () => {
    expect(seal(keyring, 'same', place)).not.toBe(seal(keyring, 'same', place))
  })
  test('cannot be moved to another row', () => {
    expect(() => unseal(keyring, seal(keyring, 'x', place), 'webhook|2|secret')).toThrow()
  })
  test('cannot be altered', () => {
    const [version, id, data = ''] = seal(keyring, 'something longer', place).split('.')
    const bytes = Buffer.from(data, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
    expect(() => unseal(keyring, `${version}.${id}.${bytes.toString('base64url')}`, place)).toThrow()
  })
})

describe('base62', () => {
  test('writes numbers with zeros in front', () => {
    expect([toBase62(0, 6), toBase62(61, 6), toBase62(62, 6), toBase62(0xffffffff, 6)]).toEqual([
      '000000',
      '00000z',
      '000010',
      '4gfFC3',
    ])
  })
  test('draws digits of the asked length', () => {
    expect(randomBase62(30)).toMatch(/^[0-9A-Za-z]{30}$/)
  })
})

test('texts of different lengths are unequal, not an error', () => {
  expect(equalInConstantTime('a', 'ab')).toBe(false)
  expect(equalInConstantTime('ab', 'ab')).toBe(true)
})
