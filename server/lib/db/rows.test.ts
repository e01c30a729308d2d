import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { rowsOf } from './rows.ts'

const t = await testApp()

const list = [
  {
    id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56',
    at: new Date('2026-01-02T03:04:05.678Z'),
    text: 'a "quoted" \\ back{slash}, NULL',
    count: 7,
    isNew: true,
  },
  { id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d57', at: null, text: null, count: null, isNew: null },
  {
    id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d58',
    at: new Date(0),
    text: 'NULL',
    count: -1,
    isNew: false,
  },
]
const columns = { id: 'uuid', isNew: 'boolean', count: 'int', at: 'timestamptz', text: 'text' } as const

test('a list of records is read from PostgreSQL as it was written', async () => {
  const { rows } = await sql`select * from ${rowsOf(list, columns, 'given')}`.execute(t.deps.db)
  expect(rows).toEqual(list)
})

test('an empty list gives a table without rows', async () => {
  const { rows } = await sql`select * from ${rowsOf([], columns, 'given')}`.execute(t.deps.db)
  expect(rows).toEqual([])
})

test('lists of every length share one prepared statement', () => {
  const statement = (length: number) =>
    sql`select * from ${rowsOf(list.slice(0, length), columns, 'given')}`.compile(t.deps.db).sql
  expect(statement(0)).toBe(statement(3))
})
