import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { HOUR } from '../../../shared/time.ts'
import { enabledAgent } from '../../../test/agents.ts'
import type { TestApp } from '../../../test/app.ts'
import { databaseUrl } from '../../../test/database.ts'
import { createWebhook } from '../../../test/deliveries.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../test/factories.ts'
import { download, noise, uploaded } from '../../../test/media.ts'
import { connectByOAuth, setUpApp } from '../../../test/network-accounts.ts'
import { mailedToken, requestReset, signIn } from '../../../test/people.ts'
import { processEnv } from '../../../test/processes.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { modelAt, providerServer } from '../../../test/stand-ins/ai.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { xServer } from '../../../test/stand-ins/x.ts'
import { locks } from '../../lib/db/locks.ts'
import { eraseDeletedWorkspaces } from '../../modules/workspaces/deletion.ts'
import { findWorkspace } from './export-workspace.ts'
import { twoInstallations } from './workspace.fixture.ts'

const { closed, exported, folder, imported, newPath, passphrase, readPost, source, target, there } =
  await twoInstallations()
// Tests advance either clock, and each begins with both at the same time.
beforeEach(() => {
  const ahead = source.clock.now().getTime() - target.clock.now().getTime()
  if (ahead > 0) target.advance(ahead)
  else source.advance(-ahead)
})

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
  expectStatus(await owner.patch(`/api/v1/posts/${last}`, { content: 'Later, changed' }), 200)
  const webhook = await createWebhook(owner, receiver.url, ['post.published'])
  const agent = await enabledAgent(owner)
  expectStatus(await owner.post('/api/v1/snippets', { name: 'Tags', content: '#one #two' }), 201)
  expectStatus(await owner.post('/api/v1/account-groups', { name: 'Shops', account_ids: [account] }), 201)
  const comments = `posts/${first}/comments`
  const { id: comment } = expectStatus(
    await owner.post(`/api/v1/${comments}`, { body: `Ask @[${editor.id}]` }),
    201,
  ).body
  const reply = { body: 'Done', parent_id: comment }
  expectStatus(await editor.post(`/api/v1/${comments}`, reply), 201)
  const paths = [
    'posts',
    'accounts',
    'media',
    'webhooks',
    'agents',
    'snippets',
    'events',
    comments,
    'account-groups',
  ].map((path) => `/api/v1/${path}`)
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
  const [posts, accounts, media, webhooks, agents, snippets, events, said, groups] = comparable(await recordsOf(moved))
  const was = comparable(before)
  expect({ posts, media, snippets, groups }).toEqual({ posts: was[0], media: was[2], snippets: was[5], groups: was[8] })
  expect(said).toMatchObject([reply, { body: `Ask @[${known.id}]`, mentions: [{ id: known.id }] }])
  const versions = expectStatus(await moved.get(`/api/v1/posts/${last}/versions`), 200).body.data
  expect(versions).toMatchObject([
    { number: 2, is_current: true, changed: ['content'], source: 'console', by: { id: moved.id } },
    { number: 1, by: { id: known.id } },
  ])
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
  await receiver.until((received) => received.length >= 2)
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
  const files = await readdir(folder)
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
  expect(await readdir(folder)).toEqual(files)
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
