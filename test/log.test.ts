import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import { expectStatus, withWorkspace } from './factories.ts'

test('a line about a request has its id, and the workspace of its caller', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const t = await testApp({}, { log })
  const owner = await withWorkspace(t)
  const { headers } = expectStatus(await owner.get('/api/v1/posts'), 200)
  const of = (id: string | null, msg: string) => lines.find((line) => line.request_id === id && line.msg === msg)
  expect(of(headers.get('x-request-id'), 'responded')).toMatchObject({
    path: '/api/v1/posts',
    status: 200,
    workspace_id: owner.workspace_id,
  })
  await sql`alter table snippet rename to hidden`.execute(t.deps.db)
  const failed = expectStatus(await owner.get('/api/v1/snippets'), 500)
  expect(of(failed.body.request_id, 'request failed')).toMatchObject({ workspace_id: owner.workspace_id })
  await t.close()
})
