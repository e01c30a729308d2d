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

describe('the keyring', () => {
  test('the keyring is created once, also when several nodes start at the same time', async () => {
    const fresh = await cloneDatabase(inject('postgres'))
    const { db, close } = createDatabase(fresh.connection)
    const rings = await Promise.all(Array.from({ length: 5 }, () => loadKeyring(db, 'secret')))
    expect(new Set(rings.map((ring) => ring.current('token').id)).size).toBe(1)
    await close()
    await fresh.drop()
  })

  test('the keyring opens with the SECRET_KEY that wrapped it, and with no other', async () => {
    const again = await loadKeyring(connected.db, 'first secret key')
    expect(again.current('encryption').id).toBe(keyring.current('encryption').id)
    await expect(loadKeyring(connected.db, 'wrong')).rejects.toThrow('SECRET_KEY cannot decrypt')
  })

  test('a changed SECRET_KEY rewraps the keyring, and values sealed before stay readable', async () => {
    const sealed = seal(keyring, 'credentials', 'account|1|credentials')
    const rewrapped = await loadKeyring(connected.db, 'second secret key', 'first secret key')
    expect(unseal(rewrapped, sealed, 'account|1|credentials')).toBe('credentials')
    await expect(loadKeyring(connected.db, 'first secret key')).rejects.toThrow('SECRET_KEY cannot decrypt')
    await loadKeyring(connected.db, 'first secret key', 'second secret key')
  })
})

describe('sealed values', () => {
  const context = 'webhook|1|secret'
  test('sealing the same text twice gives different values', () => {
    expect(seal(keyring, 'same', context)).not.toBe(seal(keyring, 'same', context))
  })
  test('a sealed value cannot be moved to another row', () => {
    expect(() => unseal(keyring, seal(keyring, 'x', context), 'webhook|2|secret')).toThrow()
  })
  test('an altered sealed value does not open', () => {
    const [version, id, data = ''] = seal(keyring, 'something longer', context).split('.')
    const bytes = Buffer.from(data, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
    expect(() => unseal(keyring, `${version}.${id}.${bytes.toString('base64url')}`, context)).toThrow()
  })
})

describe('base62', () => {
  test('base62 pads numbers with zeros to the given length', () => {
    expect([toBase62(0, 6), toBase62(61, 6), toBase62(62, 6), toBase62(0xffffffff, 6)]).toEqual([
      '000000',
      '00000z',
      '000010',
      '4gfFC3',
    ])
  })
  test('random base62 texts have the requested length', () => {
    expect(randomBase62(30)).toMatch(/^[0-9A-Za-z]{30}$/)
  })
})

test('comparing texts of different lengths returns false and throws no error', () => {
  expect(equalInConstantTime('a', 'ab')).toBe(false)
  expect(equalInConstantTime('ab', 'ab')).toBe(true)
})
