import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { cloneDatabase, emptyDatabase } from '../../../test/database.ts'
import { createWebhook, openDeliveries } from '../../../test/deliveries.ts'
import {
  expectStatus,
  openSession,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../test/factories.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { writeBackup } from '../../backup/backup.ts'
import { restoreBackup } from '../../backup/restore.ts'
import { localFile } from '../../backup/targets/folder-target.ts'
import { queueMail } from '../mail/mail.ts'
import { folderStorage } from '../media/storage/folder.ts'
import { publishNow, withBluesky } from '../posts/publishing/publishing.fixture.ts'

const secret = 'a secret key for tests, long enough'
const shared = { passphrase: 'simit ve çay her sabah', onProgress: () => undefined }
const HOUR = 3600_000
const mailSettings = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'meydan@example.com' }

// PostgreSQL dates the restore.
const origin = new Date()
const t = await testApp(mailSettings, { origin })
const bluesky = await blueskyServer()
const folder = await mkdtemp(join(tmpdir(), 'meydan-hold-'))
const admin = await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

// At the backup, the response to one post is lost, and another waits for a worker.
const writer = await withBluesky(t, bluesky)
// It stays away, so that nothing looks the post up before the backup on a slow machine.
bluesky.failNext({
  kind: 'reply',
  arrives: true,
  of: () => {
    bluesky.close()
    return { status: 502 }
  },
})
const { id: lost } = await publishNow(writer.owner, { account_ids: [writer.account] })
await t.runJobs()
const { id: waiting } = await publishNow(owner, { account_ids: [account] })

const webhook = await createWebhook(owner)
const schedule = async (content: string, ms: number): Promise<string> => {
  const scheduled_at = new Date(t.clock.now().getTime() + ms).toISOString()
  return expectStatus(await owner.post('/api/v1/posts', { content, account_ids: [account], scheduled_at }), 201).body.id
}
const soon = await schedule('Due between the backup and the release', 60_000)
const wanted = await schedule('Due as well, and still wanted', 120_000)
const later = await schedule('Not due yet', 48 * HOUR)
await queueMail(t.deps.db, t.deps, {
  key: 'password-changed',
  to: { address: owner.email, name: 'Ada' },
  locale: 'en',
  variables: {},
})
const path = join(folder, 'one.backup')
await writeBackup(localFile(path), { ...shared, connection: t.database.connection, storage: t.deps.storage, secret })
const pristine = await emptyDatabase(inject('postgres'))
await restoreBackup(localFile(path), {
  ...shared,
  connection: pristine.connection,
  storage: await folderStorage(join(folder, 'files')),
  dataDir: folder,
  secretKey: secret,
  log: () => undefined,
})
afterAll(async () => {
  await pristine.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A copy of the restored installation, two hours after its backup. */
async function restored() {
  const database = await cloneDatabase(inject('postgres'), pristine.connection.database)
  const app = await testApp(mailSettings, { beside: { database }, origin: new Date(origin.getTime() + 2 * HOUR) })
  onTestFinished(async () => {
    await app.close()
    await database.drop()
  })
  const as = async ({ id, email }: Person) => ({ ...app.anyone.with(await openSession(app, id)), id, email })
  const member = async (of: WorkspaceOwner) => ({ ...(await as(of)), workspace_id: of.workspace_id })
  return { app, admin: await as(admin), owner: await member(owner), writer: await member(writer.owner) }
}

const nothing = { unscheduled_posts: 0, dropped_deliveries: 0, kept_mails: 0, skipped_runs: 0, skipped_renewals: 0 }

const statusOf = async (who: WorkspaceOwner, id: string) => (await who.get(`/api/v1/posts/${id}`)).body.status

test('a restored installation tells what goes out at its release', async () => {
  const { admin, app } = await restored()
  const { body } = expectStatus(await admin.get('/api/v1/admin/hold'), 200)
  expect(body).toMatchObject({ held: true, due_posts: 4, queued_mails: 1, due_agents: 0, due_subscriptions: 0 })
  expect(body.waiting_deliveries).toBeGreaterThanOrEqual(3)
  expect(Date.parse(body.data_until)).toBeLessThan(Date.parse(body.restored_at))
  const list = expectStatus(await admin.get('/api/v1/admin/hold/posts?limit=1'), 200).body
  expect(list.data).toMatchObject([
    {
      id: wanted,
      workspace_id: owner.workspace_id,
      excerpt: 'Due as well, and still wanted',
      networks: ['playground'],
    },
  ])
  const next = expectStatus(await admin.get(`/api/v1/admin/hold/posts?limit=1&cursor=${list.next_cursor}`), 200).body
  expect(next).toMatchObject({ data: [{ id: soon }] })
  const entries = await app.deps.db.selectFrom('audit_entry').select('action').orderBy('id', 'desc').limit(1).execute()
  expect(entries).toEqual([{ action: 'installation.restored' }])
})

test('a release can drop what was due, except for some posts; what came after the restore stays', async () => {
  const { admin, owner, app } = await restored()
  const old = await openDeliveries(app, webhook.id)
  const undue = { posts: 'unschedule', publish_post_ids: [wanted, later], deliveries: 'drop', mails: 'keep' }
  expect(expectStatus(await admin.post('/api/v1/admin/hold/release', undue), 400).body).toMatchObject({
    errors: [{ pointer: '/publish_post_ids/1' }],
  })
  expect(await openDeliveries(app, webhook.id)).toHaveLength(old.length)
  expect(old.length).toBeGreaterThan(0)
  const body = { posts: 'unschedule', publish_post_ids: [wanted], deliveries: 'drop', mails: 'keep' }
  const { body: result } = expectStatus(await admin.post('/api/v1/admin/hold/release', body), 200)
  expect(result).toEqual({ ...nothing, unscheduled_posts: 3, dropped_deliveries: old.length, kept_mails: 1 })

  expect(await statusOf(owner, soon)).toBe('draft')
  expect(await statusOf(owner, wanted)).toBe('scheduled')
  expect(await statusOf(owner, later)).toBe('scheduled')
  const deliveries = await openDeliveries(app, webhook.id)
  expect(deliveries).toMatchObject([{ type: 'post.updated' }, { type: 'post.updated' }])
  expect(expectStatus(await admin.get('/api/v1/admin/hold'), 200).body).toMatchObject({ held: false, due_posts: 0 })

  await app.runJobs()
  expect(await statusOf(owner, wanted)).toBe('published')
  expect(await statusOf(owner, soon)).toBe('draft')
  const { rows } = await sql<{ state: string }>`select state from mail where key = 'password-changed'`.execute(
    app.deps.db,
  )
  expect(rows).toEqual([{ state: 'kept' }])
  const entry = await app.deps.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'details'])
    .where('action', '=', 'installation.released')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ actor_id: admin.id, details: { unscheduled_posts: 3, kept_mails: 1 } })
  expectStatus(await admin.post('/api/v1/admin/hold/release', body), 409)
})

test('a post that was being published at the backup fails, and a person says whether a lost response was a success', async () => {
  const { admin, owner, writer, app } = await restored()
  const body = { posts: 'unschedule', deliveries: 'drop', mails: 'keep' }
  expectStatus(await admin.post('/api/v1/admin/hold/release', body), 200)
  await app.runJobs()
  expect(await statusOf(owner, waiting)).toBe('draft')
  const { body: post } = await writer.get(`/api/v1/posts/${lost}`)
  expect(post).toMatchObject({
    status: 'failed',
    targets: [{ status: 'failed', error_code: 'unconfirmed', needs_resolution: true }],
  })
  const path = `/api/v1/posts/${lost}/targets/${post.targets[0].id}/resolve`
  expectStatus(await writer.post(path, { published: true }), 200)
  await app.runJobs()
  expect(bluesky.count('putRecord')).toBe(1)
})

test('a release can let everything go', async () => {
  const { admin, owner, app } = await restored()
  const waiting = (await openDeliveries(app, webhook.id)).length
  const body = { posts: 'publish', deliveries: 'send', mails: 'send' }
  expect(expectStatus(await admin.post('/api/v1/admin/hold/release', body), 200).body).toEqual(nothing)
  expect(await openDeliveries(app, webhook.id)).toHaveLength(waiting)
  await app.runJobs()
  expect(await statusOf(owner, soon)).toBe('published')
})

test('only an instance admin sees or releases the hold, and only a held installation can be released', async () => {
  const body = { posts: 'publish', deliveries: 'send', mails: 'send' }
  expectStatus(await owner.get('/api/v1/admin/hold'), 403)
  expectStatus(await owner.get('/api/v1/admin/hold/posts'), 403)
  expectStatus(await owner.post('/api/v1/admin/hold/release', body), 403)
  expect(expectStatus(await admin.get('/api/v1/admin/hold'), 200).body).toMatchObject({
    ...{ held: false, data_until: null, restored_at: null, release: null },
    ...{ due_posts: 0, waiting_deliveries: 0, queued_mails: 0 },
  })
  const refused = expectStatus(await admin.post('/api/v1/admin/hold/release', body), 409).body
  expect(refused).toMatchObject({ code: 'invalid_transition', detail: 'The installation is not held.' })
  expectStatus(await admin.post('/api/v1/admin/hold/release', { ...body, mails: 'drop' }), 400)
})
