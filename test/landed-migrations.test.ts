import { describe, expect, test } from 'vitest'
import { withNewMigrations } from '../scripts/landed-migrations.ts'
import { readLandedMigrations, readMigrations } from '../server/lib/db/migrations.ts'

const landed = await readLandedMigrations()
const migrations = await readMigrations()

describe('checksums of migrations', () => {
  test('a landed migration is neither edited, renamed nor removed, and a new one is listed', () => {
    expect(withNewMigrations(landed, migrations)).toEqual(landed)
  })

  test('a new migration is added', () => {
    const added = { name: '9999_new.sql', sql: '', checksum: 'abc', contracts: false }
    expect(withNewMigrations(landed, [...migrations, added])).toEqual({
      ...landed,
      checksums: { ...landed.checksums, '9999_new.sql': 'abc' },
    })
  })

  test('an edit of a landed migration is refused', () => {
    const edited = migrations.map((each) => (each.name === '0053_billing.sql' ? { ...each, checksum: 'abc' } : each))
    expect(() => withNewMigrations(landed, edited)).toThrow('0053_billing.sql was edited')
  })

  test('a new name of a landed migration is refused', () => {
    const renamed = migrations.map((each) =>
      each.name === '0090_oauth.sql' ? { ...each, name: '0092_oauth.sql' } : each,
    )
    expect(() => withNewMigrations(landed, renamed)).toThrow('0090_oauth.sql was renamed or removed')
  })
})
