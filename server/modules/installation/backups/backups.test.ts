import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, type Person, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { noise, uploaded } from '../../../../test/media.ts'
import { optionCalls } from '../../../../test/options.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { bucketServer } from '../../../../test/stand-ins/bucket.ts'
import { readLastBackup, reportProgress } from './backups.ts'
import { startDueBackup } from './start-backup.ts'

const HOUR = 3600_000
const BACKUP_PASSPHRASE = 'simit ve çay her sabah'

let folder: string
let t: TestApp
let root: Person
// An installation has one schedule, and one list of backups.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meydan-backups-'))
  t = await testApp({ BACKUP_URL: `file:${folder}`, BACKUP_PASSPHRASE })
  root = await signedIn(t, { instanceAdmin: true })
  return async () => {
    await t.close()
    await rm(folder, { recursive: true, force: true })
  }
})
const { setOption } = optionCalls(() => ({ t, root }))

type Shown = { id: string; state: string; origin: string; file_name: string; error_code: string | null }
const start = () => root.post('/api/v1/admin/backups')
const list = async (): Promise<Shown[]> =>
  expectStatus(await root.get('/api/v1/admin/backups?limit=100'), 200).body.data
const latest = async () => (await list())[0]
const summary = async (who = root) => expectStatus(await who.get('/api/v1/admin/backups/summary'), 200).body
const filesIn = async () => (await readdir(folder)).toSorted()
const actions = async (id: string) =>
  (await t.deps.db.selectFrom('audit_entry').select('action').where('target_id', '=', id).orderBy('id').execute()).map(
    ({ action }) => action,
  )

/** Starts a backup, and runs it to its end. */
async function backUp() {
  const { id } = expectStatus(await start(), 201).body
  await t.runJobs()
  const backup = (await list()).find((one) => one.id === id)
  if (!backup) throw new Error('The backup is not listed')
  return backup
}

test('a backup that an admin starts is written to BACKUP_URL, read whole, and recorded', async () => {
  await uploaded(await withWorkspace(t), { bytes: await noise(300, 200) })
  const { body } = expectStatus(await start(), 201)
  expect(body).toMatchObject({ origin: 'admin', state: 'waiting', target: folder, bytes: null, error_code: null })
  expectProblem(await start(), 409, 'backup_running')
  await t.runJobs()
  const backup = await latest()
  expect(backup).toMatchObject({ id: body.id, state: 'verified', missing_files: 0, removed_at: null })
  expect(backup).toMatchObject({ verified_at: expect.any(String), ended_at: expect.any(String) })
  const [file] = await filesIn()
  expect(file).toBe(body.file_name)
  expect(file).toMatch(/^meydan-\d{8}T\d{6}Z-[0-9a-f]{8}\.backup$/)
  expect(backup).toMatchObject({ bytes: (await readFile(join(folder, body.file_name))).length })
  expect(await actions(body.id)).toEqual(['backup.started', 'backup.written', 'backup.verified'])
  expect(await summary()).toMatchObject({
    ...{ target: folder, has_passphrase: true, next_at: null, last_restored: null },
    ...{ last: { id: body.id }, last_verified: { id: body.id } },
  })
  const { last, verified } = await readLastBackup(t.deps.db, t.clock.now())
  expect([last?.id, verified?.id]).toEqual([body.id, body.id])
})

test('a daily backup is made once on any number of nodes, at its hour in its zone', async () => {
  expectStatus(await setOption('backup.schedule', '03:30 Europe/Istanbul'), 200)
  const count = async () => (await list()).filter(({ origin }) => origin === 'schedule').length
  const before = await count()
  // The first one shows at once whether the schedule works.
  await Promise.all([startDueBackup(t.deps), startDueBackup(t.deps), startDueBackup(t.deps)])
  await t.runJobs()
  expect(await count()).toBe(before + 1)
  expect(await latest()).toMatchObject({ origin: 'schedule', state: 'verified' })

  const { next_at } = await summary()
  expect(new Date(next_at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Istanbul' })).toBe('03:30:00')
  t.advance(Date.parse(next_at) - t.clock.now().getTime() - 60_000)
  await startDueBackup(t.deps)
  expect(await count()).toBe(before + 1)
  t.advance(60_000)
  await startDueBackup(t.deps)
  await startDueBackup(t.deps)
  await t.runJobs()
  expect(await count()).toBe(before + 2)
  expect(await summary()).toMatchObject({ next_at: new Date(Date.parse(next_at) + 24 * HOUR).toISOString() })
})

test('a schedule is a time of day with a time zone', async () => {
  for (const value of ['', '24:00 UTC', '3:30 UTC', '03:30', '03:30 Europe/Atlantis', '03:30 +03:00', '* * * * *', 3])
    expectProblem(await setOption('backup.schedule', value), 400, 'validation_failed', '/value')
  for (const value of ['00:00 UTC', '23:59 America/Argentina/Buenos_Aires', '12:00 Etc/GMT-14'])
    expectStatus(await setOption('backup.schedule', value), 200)
  for (const value of [0, 1001, '7'])
    expectProblem(await setOption('backup.keep', value), 400, 'validation_failed', '/value')
})

test('only the newest verified backups are kept, and files that Meydan did not write stay', async () => {
  await writeFile(join(folder, 'meydan-20200101T000000Z-00000000.backup'), 'of somebody else')
  expectStatus(await setOption('backup.keep', 2), 200)
  const made = [await backUp(), await backUp(), await backUp()]
  const removed = (await list()).filter((one) => 'removed_at' in one && one.removed_at !== null)
  expect(removed.map(({ id }) => id)).toContain(made[0]?.id)
  expect(await filesIn()).toEqual(
    [...made.slice(1).map(({ file_name }) => file_name), 'meydan-20200101T000000Z-00000000.backup'].toSorted(),
  )
  expect(await actions(made[0]?.id ?? '')).toContain('backup.removed')
})

test('a backup without the files of the library does not push out the last one that has them', async () => {
  expectStatus(await setOption('backup.keep', 1), 200)
  await uploaded(await withWorkspace(t), { bytes: await noise(300, 200) })
  const full = await backUp()
  const { storage } = t.deps
  onTestFinished(() => {
    t.deps.storage = storage
  })
  // As a folder of another machine that is not mounted.
  t.deps.storage = { ...storage, list: async function* () {} }
  const lacking = [await backUp(), await backUp()]
  expect(lacking[1]).toMatchObject({ state: 'verified', missing_files: expect.toSatisfy((count) => count > 0) })
  const kept = async () =>
    (await filesIn()).filter((name) => [full, ...lacking, later].some((one) => one?.file_name === name))
  let later: Shown | undefined
  expect(await kept()).toEqual([full.file_name, lacking[1]?.file_name].toSorted())
  t.deps.storage = storage
  later = await backUp()
  expect(await kept()).toEqual([later.file_name])
})

test('a backup that fails says why, removes nothing, and the scheduled one is tried again after an hour', async () => {
  await backUp()
  const kept = await filesIn()
  expectStatus(await setOption('backup.keep', 1), 200)
  expectStatus(await setOption('backup.schedule', '03:30 UTC'), 200)
  const { storage } = t.deps
  const failing = (code: string) => {
    t.deps.storage = {
      ...storage,
      list: async function* () {
        yield* []
        throw Object.assign(new Error(code), { code })
      },
    }
  }
  onTestFinished(() => {
    t.deps.storage = storage
  })
  failing('ENOSPC')
  t.advance(48 * HOUR)
  await startDueBackup(t.deps)
  await t.runJobs()
  const failed = await latest()
  expect(failed).toMatchObject({ origin: 'schedule', state: 'failed', error_code: 'disk_full', bytes: null })
  expect(await actions(failed?.id ?? '')).toEqual(['backup.started', 'backup.failed'])
  expect(await filesIn()).toEqual(kept)
  expect((await summary()).last.id).toBe(failed?.id)

  await startDueBackup(t.deps)
  expect((await latest())?.id).toBe(failed?.id)
  t.deps.storage = storage
  t.advance(HOUR)
  await startDueBackup(t.deps)
  await t.runJobs()
  expect(await latest()).toMatchObject({ origin: 'schedule', state: 'verified' })
})

test('a backup whose process died is recognized, what it left is removed, and its process may not go on', async () => {
  const { db, timings } = t.deps
  const { id, file_name } = expectStatus(await start(), 201).body
  // As by a process that was killed while it wrote.
  await db.updateTable('backup').set({ state: 'writing' }).where('id', '=', id).execute()
  await t.runJobs()
  await writeFile(join(folder, `${file_name}.partial`), 'a part')
  expectProblem(await start(), 409, 'backup_running')
  expect(await reportProgress(t.deps, id, 1, 2)).toBe(true)
  t.advance(timings.backupLease + 1)
  expect(await latest()).toMatchObject({ id, state: 'failed', error_code: 'interrupted' })

  const next = await backUp()
  expect(next).toMatchObject({ state: 'verified' })
  expect(await filesIn()).not.toContain(`${file_name}.partial`)
  expect(await reportProgress(t.deps, id, 2, 2)).toBe(false)
  expect(await actions(id)).toEqual(['backup.started', 'backup.failed'])
})

test('a backup that no worker takes fails, and is not written later', async () => {
  const { id } = expectStatus(await start(), 201).body
  t.advance(t.deps.timings.backupLease + 1)
  expect(await latest()).toMatchObject({ id, state: 'failed', error_code: 'not_started' })
  await t.runJobs()
  await startDueBackup(t.deps)
  expect(await latest()).toMatchObject({ id, state: 'failed', error_code: 'not_started', bytes: null })
})

test('backups go to a bucket, and what a killed process left of an upload is aborted by the next one', async () => {
  const server = await bucketServer()
  const url = server.url.replace('?', '/nightly?')
  const app = await testApp({ BACKUP_URL: url, BACKUP_PASSPHRASE })
  onTestFinished(async () => {
    await app.close()
    await server.close()
  })
  const admin = await signedIn(app, { instanceAdmin: true })
  const backUpThere = async () => {
    const { id } = expectStatus(await admin.post('/api/v1/admin/backups'), 201).body
    await app.runJobs()
    return expectStatus(await admin.get('/api/v1/admin/backups'), 200).body.data.find((one: Shown) => one.id === id)
  }
  const first = await backUpThere()
  expect(first).toMatchObject({ state: 'verified', target: 's3://files/nightly' })
  expect(JSON.stringify(first)).not.toContain('S3RVER')

  server.failWith(({ method, query }) => (method === 'DELETE' || query.partNumber !== undefined ? 403 : undefined))
  expect(await backUpThere()).toMatchObject({ state: 'failed', error_code: 'target_refused' })
  expect(await server.unfinished()).toHaveLength(1)
  server.failWith(() => undefined)
  const second = await backUpThere()
  expect(second).toMatchObject({ state: 'verified' })
  expect(await server.unfinished()).toEqual([])
  expect((await server.keys()).toSorted()).toEqual([first, second].map((one) => `nightly/${one.file_name}`).toSorted())
})

test('without BACKUP_URL and a passphrase nothing is started, and the summary says what is missing', async () => {
  const app = await testApp({ BACKUP_PASSPHRASE: 'short' })
  onTestFinished(app.close)
  const admin = await signedIn(app, { instanceAdmin: true })
  expectProblem(await admin.post('/api/v1/admin/backups'), 409, 'backup_not_set_up')
  expectStatus(await admin.put('/api/v1/options/backup.schedule', { value: '03:30 UTC' }), 200)
  await startDueBackup(app.deps)
  expect(expectStatus(await admin.get('/api/v1/admin/backups'), 200).body.data).toEqual([])
  expect(await summary(admin)).toEqual({
    ...{ target: null, has_passphrase: false, next_at: null },
    ...{ last: null, last_verified: null, last_restored: null },
  })
})

test('only instance admins see and start backups', async () => {
  const owner = await withWorkspace(t)
  expectProblem(await owner.get('/api/v1/admin/backups'), 403, 'forbidden_role')
  expectProblem(await owner.get('/api/v1/admin/backups/summary'), 403, 'forbidden_role')
  expectProblem(await owner.post('/api/v1/admin/backups'), 403, 'forbidden_role')
  expectProblem(await t.anyone.get('/api/v1/admin/backups'), 401, 'unauthenticated')
})

test('metrics tell the age and size of the newest verified backup, and whether the last one succeeded', async () => {
  const metrics = async () => {
    const text = await (await fetch(`${t.url}/metrics`)).text()
    return (name: string) =>
      Number(new RegExp(`^meydan_backup_${name} (\\S+)$`, 'm').exec(text)?.[1]?.replace('+Inf', 'Infinity'))
  }
  await backUp()
  const last = (await summary()).last_verified
  // No worker takes the next one.
  expectStatus(await start(), 201)
  t.advance(t.deps.timings.backupLease + 1)
  await startDueBackup(t.deps)
  const read = await metrics()
  expect(read('size_bytes')).toBe(last.bytes)
  expect(read('last_ok')).toBe(0)
  const app = await testApp()
  onTestFinished(app.close)
  const text = await (await fetch(`${app.url}/metrics`)).text()
  expect(text).toContain('meydan_backup_age_seconds +Inf')
})
