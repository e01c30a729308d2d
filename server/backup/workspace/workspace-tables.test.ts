import { expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { connectWithoutLimits } from '../database-copy.ts'
import { movedTables, notMoved, readCatalog } from './workspace-tables.ts'

test('every table moves with a workspace or has a reason why not, and leaves nothing behind that a row needs', async () => {
  const database = await cloneDatabase(inject('postgres'))
  const client = await connectWithoutLimits(database.connection)
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  const catalog = await readCatalog(client)
  const staying = Object.values(notMoved).flat()
  const moved = movedTables(catalog, '').map(({ name }) => name)
  expect([...moved, ...staying].toSorted()).toEqual(catalog.map(({ name }) => name).toSorted())
  // A row that must refer to something that stays could not be imported.
  const { rows } = await client.query<{ name: string }>(
    `
    select conrelid::regclass || '.' || attname as name
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and conparentid = 0 and attnotnull and conrelid::regclass::text = any($1)
      and not (confrelid::regclass::text = any($1))`,
    [moved],
  )
  expect(rows.map(({ name }) => name)).toEqual(['workspace_member.user_id'])
})
