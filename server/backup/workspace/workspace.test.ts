import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { enabledAgent } from '../../../test/agents.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { databaseUrl, emptyDatabase } from '../../../test/database.ts'
import { createWebhook, draft } from '../../../test/deliveries.ts'
import {
  expectStatus,
  memberOf,
  openSession,
  PASSWORD,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../test/factories.ts'
import { download, noise, uploaded } from '../../../test/media.ts'
import { connectByOAuth, setUpApp } from '../../../test/network-accounts.ts'
import { mailedToken, requestReset, signIn, userOf } from '../../../test/people.ts'
import { processEnv } from '../../../test/processes.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { xServer } from '../../../test/stand-ins/x.ts'
import { locks } from '../../lib/db/locks.ts'
import { sealedColumns } from '../../lifecycle.ts'
import { folderStorage } from '../../modules/media/storage/folder.ts'
import { closeWorkspace, eraseDeletedWorkspaces } from '../../modules/workspaces/deletion.ts'
import { writeBackup } from '../backup.ts'
import { restoreBackup } from '../restore.ts'
import { localFile } from '../targets/folder-target.ts'
import { exportAndClose, exportWorkspace, findWorkspace } from './export-workspace.ts'
import { importWorkspace } from './import-workspace.ts'

const HOUR = 3600_000
const passphrase = 'simit ve çay her sabah'
const quiet = { passphrase, onProgress: () => undefined, log: () => undefined }

const folder = await mkdtemp(join(tmpdir(), 'meydan-workspace-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const source = await testApp()
const target = await testApp({ SECRET_KEY: 'another secret key, long enough too' })

let number = 0
const newPath = () => join(folder, `${++number}.workspace`)

const depsOf = ({ deps, database: { connection } }: TestApp) => ({ ...deps, ...quiet, connection, sealedColumns })

const exported = async ({ workspace_id }: WorkspaceOwner, path = newPath()) => {
  const result = await exportWorkspace(localFile(path), workspace_id, depsOf(source))
  return { path, ...result }
}
/** `meanwhile` is called when the workspace is closed but for the commit. */
const closed = async ({ workspace_id }: WorkspaceOwner, path = newPath(), meanwhile: () => void = () => undefined) => {
  const result = await exportAndClose(localFile(path), workspace_id, depsOf(source), async (tx) => {
    await closeWorkspace(source.deps, tx, workspace_id)
    meanwhile()
  })
  return { path, ...result }
}
const imported = (path: string, more: object = {}) =>
  importWorkspace(localFile(path), { ...depsOf(target), dataDir: target.deps.config.DATA_DIR, ...more })

/** The same person in the target. */
async function there(person: { email: string; workspace_id: string }): Promise<WorkspaceOwner> {
  const { id } = await userOf(target, person.email)
  return { ...person, ...target.anyone.with(await openSession(target, id)), id }
}

const readPost = async (who: WorkspaceOwner, id: string) => expectStatus(await who.get(`/api/v1/posts/${id}`), 200).body

/** Fails if anything of a workspace is in the target. */
async function expectNothingImported({ workspace_id }: WorkspaceOwner) {
  const { db, storage, config } = target.deps
  expect(await db.selectFrom('workspace').select('id').where('id', '=', workspace_id).execute()).toEqual([])
  expect(await Array.fromAsync(storage.list(workspace_id))).toEqual([])
  const announced = await db.selectFrom('storage_erasure').select('folder').where('folder', '=', workspace_id).execute()
  expect(announced).toEqual([])
  expect((await readdir(config.DATA_DIR)).filter((name) => name.startsWith('import-'))).toEqual([])
}

test('a moved workspace has its rows, files and secrets, and nothing goes out before somebody chooses', async () => {
  const bluesky = await blueskyServer()
  const openai = await providerServer('openai')
  const receiver = await webhookReceiver()
  onTestFinished(() => {
    bluesky.close()
    openai.close()
    receiver.close()
  })
  const admin = await signedIn(source, { instanceAdmin: true })
  await modelAt(admin, 'openai', 'chat', openai)
  const owner = await withWorkspace(source)
  const editor = await memberOf(source, owner.workspace_id, 'editor')
  // One member has an account in the target already, with another name.
  const known = await signedIn(target, { email: editor.email, name: 'Grace' })
  const neighbour = await withWorkspace(target)
  await playgroundAccount(neighbour)

  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const account = expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id
  const file = await uploaded(owner, { bytes: await noise(300, 200) })
  const write = async (who: WorkspaceOwner, body: object) =>
    expectStatus(await who.post('/api/v1/posts', { account_ids: [account], ...body }), 201).body.id
  const at = (ms: number) => new Date(source.clock.now().getTime() + ms).toISOString()
  const first = await write(owner, { content: 'Published\\N\ttab 🧿', publish_now: true })
  await source.runJobs()
  const soon = await write(editor, { content: 'Due while it moves', scheduled_at: at(HOUR / 2) })
  const later = { content: 'Later', media_ids: [file.id], labels: ['spring'], scheduled_at: at(5 * HOUR) }
  const last = await write(editor, later)
  const webhook = await createWebhook(owner, receiver.url, ['post.published'])
  const agent = await enabledAgent(owner)
  expectStatus(await owner.post('/api/v1/snippets', { name: 'Tags', content: '#one #two' }), 201)
  const paths = ['posts', 'accounts', 'media', 'webhooks', 'agents', 'snippets', 'events'].map(
    (path) => `/api/v1/${path}`,
  )
  const recordsOf = async (who: WorkspaceOwner) =>
    Promise.all(paths.map(async (path) => expectStatus(await who.get(path), 200).body.data))
  const before = await recordsOf(owner)
  const bytes = Buffer.from((await download(owner, file.url)).bytes)

  const { path, manifest } = await closed(owner)
  expect((await readFile(path)).includes('Due while it moves')).toBe(false)
  expect(manifest.files).toBeGreaterThanOrEqual(2)
  target.advance(HOUR)
  const { created, members, held } = await imported(path)
  expect({ created, members }).toEqual({ created: [owner.email], members: 2 })
  expect(held).toMatchObject({ scheduled_posts: 1, late_posts: 1, paused_accounts: 2 })
  expect(held).toMatchObject({ disabled_agents: 1, disabled_webhooks: 1 })

  const moved = await there(owner)
  // Ids of people, and what a hold or the address of the installation changes.
  const comparable = (records: object) =>
    JSON.parse(JSON.stringify(records).replaceAll(editor.id, known.id).replaceAll(owner.id, moved.id), (name, value) =>
      ['author', 'updated_at', 'version', 'url', 'status', 'account_status', 'held', 'warning'].includes(name)
        ? undefined
        : value,
    )
  const [posts, accounts, media, webhooks, agents, snippets, events] = comparable(await recordsOf(moved))
  const was = comparable(before)
  expect({ posts, media, snippets }).toEqual({ posts: was[0], media: was[2], snippets: was[5] })
  expect(events).toEqual(expect.arrayContaining(was[6]))
  expect(accounts.map(({ id }: { id: string }) => id)).toEqual(was[1].map(({ id }: { id: string }) => id))
  expect(webhooks).toMatchObject([{ id: was[3][0].id, active: false, disabled_reason: 'manual' }])
  expect(agents).toMatchObject([{ id: agent.id, is_active: false, acts_for: { id: moved.id } }])
  expect(Buffer.from((await download(moved, file.url)).bytes).equals(bytes)).toBe(true)
  expect(await readPost(moved, soon)).toMatchObject({ status: 'scheduled', held: 'late', author_id: known.id })
  expect(await readPost(moved, last)).toMatchObject({ status: 'scheduled', held: null, labels: ['spring'] })
  expect(await readPost(moved, first)).toMatchObject({ status: 'published', content: 'Published\\N\ttab 🧿' })

  // Nothing is sent, here and there.
  const callsBefore = bluesky.records.size
  for (const t of [source, target]) await t.runJobs()
  target.dispatch()
  expect(bluesky.records.size).toBe(callsBefore)
  expect(receiver.received).toEqual([])

  // The sealed credentials work with the keys of the target.
  expectStatus(await moved.patch(`/api/v1/webhooks/${webhook.id}`, { active: true }), 200)
  expectStatus(await moved.patch(`/api/v1/accounts/${account}`, { paused: false }), 200)
  target.advance(4 * HOUR)
  await target.runJobs()
  expect(await readPost(moved, last)).toMatchObject({ status: 'published' })
  expectStatus(await moved.post(`/api/v1/posts/${soon}/publish`), 200)
  await target.runJobs()
  expect(await readPost(moved, soon)).toMatchObject({ status: 'published' })
  expect(bluesky.records.size).toBe(callsBefore + 2)
  await receiver.until((received) => received.length === 2)
  for (const { raw, headers } of receiver.received)
    expect(headers['x-service-signature']).toBe(createHmac('sha256', webhook.secret).update(raw).digest('hex'))
  source.advance(6 * HOUR)
  await source.runJobs()
  expect(bluesky.records.size).toBe(callsBefore + 2)

  // The new account has no password before its owner proves to have the mailbox.
  expect((await signIn(target, owner.email)).status).toBe(401)
  await requestReset(target, owner.email)
  const reset = { token: await mailedToken(target, owner.email), newPassword: PASSWORD }
  expectStatus(await target.anyone.post('/api/auth/reset-password', reset), 200)
  expect((await signIn(target, owner.email)).status).toBe(200)
  for (const [t, target_id, action] of [
    [target, moved.id, 'user.created'],
    [target, owner.workspace_id, 'workspace.imported'],
    [source, owner.workspace_id, 'workspace.exported'],
  ] as const) {
    const entries = t.deps.db.selectFrom('audit_entry').select('action').where('target_id', '=', target_id)
    expect(await entries.where('action', '=', action).execute()).toHaveLength(1)
  }
})

test('while a workspace is closed no post of it begins, and one that was being published is left to a person', async () => {
  const owner = await withWorkspace(source)
  const account = await playgroundAccount(owner)
  const scheduled_at = new Date(source.clock.now().getTime() + HOUR).toISOString()
  const schedule = async (content: string): Promise<string> =>
    expectStatus(await owner.post('/api/v1/posts', { content, account_ids: [account], scheduled_at }), 201).body.id
  const due = await schedule('Due')
  const halfWay = await schedule('Half way')
  await source.deps.db.updateTable('post').set({ status: 'publishing' }).where('id', '=', halfWay).execute()
  source.advance(HOUR)
  target.advance(source.clock.now().getTime() - target.clock.now().getTime())
  let jobs: Promise<void> | undefined
  const { path } = await closed(owner, newPath(), () => {
    jobs = source.runJobs()
  })
  await jobs
  const published = source.deps.db.selectFrom('playground_post').select('content')
  expect(await published.where('workspace_id', '=', owner.workspace_id).execute()).toEqual([])

  await imported(path)
  const moved = await there(owner)
  expect(await readPost(moved, due)).toMatchObject({ status: 'scheduled', held: 'late' })
  const { status, targets } = await readPost(moved, halfWay)
  expect({ status, code: targets[0].error_code }).toEqual({ status: 'failed', code: 'unconfirmed' })
})

test('an export without --close changes nothing, and one that fails leaves neither a file nor a closed workspace', async () => {
  const owner = await withWorkspace(source)
  await uploaded(owner)
  const { path } = await exported(owner)
  expect((await owner.get('/api/v1/workspace')).status).toBe(200)
  await expect(closed(owner, path)).rejects.toThrow('overwrites no backup')
  await expect(findWorkspace(source.deps.db, 'absent')).rejects.toThrow('no workspace with the id or slug absent')
  await expect(closed(owner, join(folder, 'absent', 'x'))).rejects.toThrow('Name a file in a folder that exists')
  await source.deps.db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${locks.backup})`.execute(session)
    await expect(closed(owner)).rejects.toThrow('Another backup of this installation is running.')
    await sql`select pg_advisory_unlock(${locks.backup})`.execute(session)
  })
  expect((await owner.get('/api/v1/workspace')).status).toBe(200)
  expect((await readdir(folder)).filter((name) => name.startsWith(`${number}.`))).toEqual([])
})

const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** A workspace and its file, which the tests below fail to import until the last one succeeds. */
const refused = await withWorkspace(source)
const picture = await uploaded(refused, { bytes: await noise(900, 900) })
const refusedFile = (await exported(refused)).path

test('of a file that was cut or changed, is of another kind, or has another passphrase, nothing is imported', async () => {
  const bytes = await readFile(refusedFile)
  const damaged: [Buffer, string][] = [
    [bytes.subarray(0, bytes.length - 1), 'incomplete'],
    [flipped(bytes, bytes.length >> 1), 'damaged'],
    [Buffer.from('PK\x03\x04 anything\nelse'), 'not a backup'],
  ]
  for (const [content, reason] of damaged) {
    const copy = newPath()
    await writeFile(copy, content)
    await expect(imported(copy)).rejects.toThrow(reason)
    await expectNothingImported(refused)
  }
  await expect(imported(refusedFile, { passphrase: 'another passphrase' })).rejects.toThrow('passphrase')
  const signal = AbortSignal.abort(new Error('Stopped.'))
  await expect(imported(refusedFile, { signal })).rejects.toThrow('Stopped.')
  const full = { moveIn: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) }
  const storage = { ...target.deps.storage, ...full }
  await expect(imported(refusedFile, { storage })).rejects.toThrow('The disk is full. Nothing was imported.')
  await expectNothingImported(refused)
})

test('a backup is not imported, and a workspace is not restored', async () => {
  const path = newPath()
  const { connection } = source.database
  const { storage } = source.deps
  await writeBackup(localFile(path), { ...quiet, connection, storage, secret: 'a secret key for tests, long enough' })
  await expect(imported(path)).rejects.toThrow('a backup of a whole installation. Restore it with `meydan restore`.')

  const database = await emptyDatabase(inject('postgres'))
  onTestFinished(() => database.drop())
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const empty = { connection: database.connection, dataDir, storage: await folderStorage(join(dataDir, 'files')) }
  await expect(restoreBackup(localFile(refusedFile), { ...quiet, ...empty, secretKey: undefined })).rejects.toThrow(
    'This file has one workspace. Import it with `meydan workspace import`.',
  )
})

test('a file whose rows refer to those of another workspace is refused', async () => {
  const owner = await withWorkspace(source)
  const { id: post_id } = await draft(owner)
  const account_id = await playgroundAccount(await withWorkspace(source))
  await source.deps.db.insertInto('post_target').values({ post_id, account_id, position: 0 }).execute()
  const { path } = await exported(owner)
  await expect(imported(path)).rejects.toThrow('The file has rows of another workspace')
  await expectNothingImported(owner)
})

test('a file that names a media file of another workspace is refused', async () => {
  const owner = await withWorkspace(source)
  const { id: post_id } = await draft(owner)
  const { id: media_id } = await uploaded(await withWorkspace(target))
  await source.deps.db.insertInto('post_media').values({ post_id, media_id }).execute()
  const { path } = await exported(owner)
  await expect(imported(path)).rejects.toThrow('The file has rows of another workspace, in "import_post_media"')
  await expectNothingImported(owner)
})

test('steps of a policy name the same people afterwards, and what they approved stays so', async () => {
  const owner = await withWorkspace(source)
  const editor = await memberOf(source, owner.workspace_id, 'editor')
  const steps = [{ need: 'all', role: null, user_ids: [editor.id] }]
  const policy = { mode: 'steps', own_posts: false, steps, when_unapproved: 'wait' }
  expectStatus(await owner.put('/api/v1/workspace/approval-policy', policy), 200)
  const account = await playgroundAccount(owner)
  const scheduled_at = new Date(source.clock.now().getTime() + 5 * HOUR).toISOString()
  const body = { content: 'Approved there', account_ids: [account], scheduled_at }
  const { id } = expectStatus(await owner.post('/api/v1/posts', body), 201).body
  expectStatus(await editor.post(`/api/v1/posts/${id}/approve`), 200)
  const { path } = await closed(owner)
  await imported(path)
  const moved = await there(owner)
  const approver = await there({ ...owner, email: editor.email })
  const { body: found } = expectStatus(await moved.get('/api/v1/workspace/approval-policies'), 200)
  expect(JSON.stringify(found)).toContain(approver.id)
  expectStatus(await moved.patch(`/api/v1/accounts/${account}`, { paused: false }), 200)
  target.advance(6 * HOUR)
  await target.runJobs()
  expect(await readPost(moved, id)).toMatchObject({ status: 'published', review: 'approved' })
})

test('a workspace of a newer or an older version is refused', async () => {
  const { db } = target.deps
  const rename = (from: string, to: string) =>
    db.updateTable('migration').set({ name: to }).where('name', '=', from).execute()
  const { name } = await db.selectFrom('migration').select('name').orderBy('name', 'desc').executeTakeFirstOrThrow()
  await rename(name, '0000_earlier.sql')
  await expect(imported(refusedFile)).rejects.toThrow(`exported by a newer Meydan`)
  await rename('0000_earlier.sql', name)
  await db.insertInto('migration').values({ name: '9999_later.sql' }).execute()
  await expect(imported(refusedFile)).rejects.toThrow('exported by an older Meydan')
  await db.deleteFrom('migration').where('name', '=', '9999_later.sql').execute()
  await expectNothingImported(refused)
})

test('a workspace that is there already, or whose slug, name, ids or files are, is refused', async () => {
  const rename = async (who: WorkspaceOwner, body: object) =>
    expectStatus(await who.patch('/api/v1/workspace', body), 200).body
  const { name, slug } = expectStatus(await refused.get('/api/v1/workspace'), 200).body
  const other = await withWorkspace(target)
  await rename(other, { slug })
  await expect(imported(refusedFile)).rejects.toThrow('Another workspace here has this slug.')
  await rename(other, { slug: `${slug}-other`, name: name.toUpperCase() })
  await expect(imported(refusedFile)).rejects.toThrow('Another workspace here has this name.')
  await rename(other, { name: `${name} other` })
  const { db, storage } = target.deps
  const file = { id: picture.id, workspace_id: other.workspace_id, kind: 'image', mime: 'image/png' } as const
  const rest = { extension: 'png', bytes: 1, name: 'x', alt: '', labels: [], sha256: 'x' }
  await db
    .insertInto('media')
    .values({ ...file, ...rest })
    .execute()
  await expect(imported(refusedFile)).rejects.toThrow('A part of this workspace is here already, in the table media.')
  await db.deleteFrom('media').where('id', '=', picture.id).execute()
  await expectNothingImported(refused)

  const key = `${refused.workspace_id}/${picture.id}/original`
  await storage.put(key, Buffer.from('x'), 'text/plain')
  await expect(imported(refusedFile)).rejects.toThrow('Two installations cannot share a storage.')
  expect(await Array.fromAsync(storage.list(refused.workspace_id))).toEqual([{ key, size: 1 }])
  // An import whose process has died leaves the same, and is known by what it announced.
  await db.insertInto('storage_erasure').values({ folder: refused.workspace_id, due_at: new Date() }).execute()
  const { manifest } = await imported(refusedFile)
  const stored = () => Array.fromAsync(storage.list(refused.workspace_id))
  expect((await stored()).length).toBe(manifest.files)
  await expect(imported(refusedFile)).rejects.toThrow('This workspace is here already.')
  expect((await stored()).length).toBe(manifest.files)
})

test('the commands move a workspace between installations that run', async () => {
  const owner = await withWorkspace(source)
  const { slug } = expectStatus(await owner.get('/api/v1/workspace'), 200).body
  const run = async ({ deps: { config }, database }: TestApp, ...args: string[]) => {
    const { SECRET_KEY, DATA_DIR } = config
    const DATABASE_URL = databaseUrl(database.connection)
    const env = processEnv({ BACKUP_PASSPHRASE: passphrase, SECRET_KEY, DATA_DIR, DATABASE_URL })
    return promisify(execFile)(process.execPath, ['server/cli.ts', 'workspace', ...args], { env })
  }
  const path = newPath()
  const { stderr: said } = await run(source, 'export', '--close', slug, path)
  expect(said).toMatch(/^Exported Workspace .* and verified: \d+ rows, 0 files/m)
  expect(said).toContain('The workspace is closed here')
  expect((await owner.get('/api/v1/workspace')).status).not.toBe(200)
  const { stderr: there } = await run(target, 'import', path)
  expect(there).toContain(`as /w/${slug}: `)
  expect(there).toContain(`New accounts, whose owners choose a password by "Forgot password": ${owner.email}.`)
})

test('a closed workspace keeps its sign-ins alive for the other installation, and a restored one uses them again', async () => {
  const x = await xServer()
  onTestFinished(() => x.close())
  for (const t of [source, target]) {
    Object.assign(t.deps.config.NETWORK_ORIGINS, { x: x.url })
    await setUpApp(t, 'x', x.oauth)
  }
  const owner = await withWorkspace(source)
  const { account_ids } = await connectByOAuth(owner, 'x')
  const [account] = account_ids.map(String)
  const { path } = await closed(owner)
  expectStatus(await owner.post(`/api/v1/workspaces/${owner.workspace_id}/restore`), 200)
  const grant = () =>
    source.deps.db
      .selectFrom('oauth_grant')
      .select(['ended_at', 'released_at'])
      .where('workspace_id', '=', owner.workspace_id)
      .execute()
  expect(await grant()).toEqual([{ ended_at: null, released_at: null }])
  await rm(path)
  await closed(owner, path)
  await imported(path)

  source.advance(31 * 24 * HOUR)
  await eraseDeletedWorkspaces(source.deps)
  await source.runJobs()
  expect(await grant()).toEqual([])
  expect(x.oauth.grants[0]?.ended).toBe(false)
  const moved = await there(owner)
  expectStatus(await moved.patch(`/api/v1/accounts/${account}`, { paused: false }), 200)
  const post = { content: 'From the new home', account_ids: [account], publish_now: true }
  const { id } = expectStatus(await moved.post('/api/v1/posts', post), 201).body
  await target.runJobs()
  expect(await readPost(moved, id)).toMatchObject({ status: 'published' })
})
