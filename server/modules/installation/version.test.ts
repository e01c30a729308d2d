import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { testApp } from '../../../test/app.ts'
import { databaseUrl } from '../../../test/database.ts'
import { expectStatus, signedIn } from '../../../test/factories.ts'
import { processEnv } from '../../../test/processes.ts'
import { migrationNames } from '../../lib/db/migrations.ts'

const t = await testApp()
const newest = Number((await migrationNames()).at(-1)?.slice(0, 4))

const runVersion = (settings: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['server/cli.ts', 'version'], { env: processEnv(settings) })

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'meydan-version-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

test('an instance admin reads the versions of the node and of its database', async () => {
  const admin = await signedIn(t, { instanceAdmin: true })
  const { body } = expectStatus(await admin.get('/api/v1/admin/version'), 200)
  expect(body).toMatchObject({
    version: packageJson.version,
    schema: newest,
    database_schema: newest,
    node: process.versions.node,
  })
  expect(body.postgres).toMatch(/^18\./)
  expect(body.commit ?? '0'.repeat(40)).toMatch(/^[0-9a-f]{40}$/)
})

test('nobody else learns the version', async () => {
  expectStatus(await t.anyone.get('/api/v1/admin/version'), 401)
  expectStatus(await (await signedIn(t)).get('/api/v1/admin/version'), 403)
  for (const path of ['/healthz', '/readyz', '/api/v1/instance'])
    expect(JSON.stringify((await t.anyone.get(path)).body)).not.toContain(packageJson.version)
})

test('meydan version prints the versions, and the newest migration of the database', async () => {
  const { stdout } = await runVersion({ DATABASE_URL: databaseUrl(t.database.connection), DATA_DIR: await folder() })
  expect(stdout).toMatch(
    new RegExp(
      `^Meydan ${packageJson.version}( \\([0-9a-f]{40}\\))?\nSchema ${newest}\nNode .+\nPostgreSQL 18\\..+, with schema ${newest}\n$`,
    ),
  )
})

test('meydan version creates no database, and prints what it knows although PostgreSQL does not respond', async () => {
  const DATA_DIR = await folder()
  expect((await runVersion({ DATA_DIR })).stdout).toMatch(/^Meydan .*\nSchema .*\nNode .*\n$/)
  expect(await readdir(DATA_DIR)).toEqual([])
  const refused = await runVersion({ DATA_DIR, PORT: 'x' }).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Meydan /),
    stderr: expect.stringContaining('PORT'),
  })
})
