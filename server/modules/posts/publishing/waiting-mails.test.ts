import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { enqueueWaitingMails } from './waiting-mails.ts'

const HOUR = 3600_000

const t = await testApp()

const schedule = async (owner: WorkspaceOwner, account_ids: string[], hours: number, content = 'Later') =>
  expectStatus(
    await owner.post('/api/v1/posts', {
      content,
      account_ids,
      scheduled_at: new Date(t.clock.now().getTime() + hours * HOUR).toISOString(),
    }),
    201,
  ).body

const lose = (id: string) =>
  t.deps.db.updateTable('account').set({ status: 'disconnected' }).where('id', '=', id).execute()

/** Runs the jobs of a day. */
async function runDay() {
  await enqueueWaitingMails(t.deps)
  await t.runJobs()
}

const waitingMails = async ({ email }: { email: string }) =>
  (await mailsTo(t, email)).filter(({ key }) => key === 'posts-waiting')

describe('the daily mail about posts that wait', () => {
  test('one mail lists the posts of the next 48 hours whose accounts cannot publish, to those who can connect accounts', async () => {
    const owner = await withWorkspace(t)
    const readers = [owner, await memberOf(t, owner.workspace_id, 'editor')]
    const others = [await memberOf(t, owner.workspace_id, 'author'), await memberOf(t, owner.workspace_id, 'viewer')]
    const [disconnected, connected] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    await schedule(owner, [disconnected, connected], 1, 'Simit at seven')
    await schedule(owner, [disconnected], 47, 'Tea until ten')
    await schedule(owner, [disconnected], 49, 'Much later')
    await schedule(owner, [connected], 1, 'Without a problem')
    await lose(disconnected)
    await runDay()
    for (const reader of readers) {
      const [mail, ...more] = await waitingMails(reader)
      expect(more).toEqual([])
      expect(mail?.body_text).toContain('“Simit at seven”')
      expect(mail?.body_text).toContain('“Tea until ten”')
      expect(mail?.body_text).not.toMatch(/Much later|Without a problem/)
      expect(mail?.body_text).toContain('/accounts/health')
    }
    for (const other of others) expect(await waitingMails(other)).toEqual([])
  })

  test('more than five posts are counted, and a reader in Turkish gets the mail in Turkish', async () => {
    const owner = await withWorkspace(t)
    expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
    const id = await playgroundAccount(owner)
    for (let hour = 1; hour <= 7; hour++) await schedule(owner, [id], hour, `Post ${hour}`)
    await lose(id)
    await runDay()
    const [mail] = await waitingMails(owner)
    expect(mail?.subject).toContain('bir hesabı bekliyor')
    expect(mail?.body_text).toContain('“Post 5”')
    expect(mail?.body_text).toContain('+2')
    expect(mail?.body_text).not.toContain('“Post 6”')
  })

  test('nothing is mailed when all accounts can publish, also when that changed since the mail was enqueued', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    await schedule(owner, [id], 1)
    await runDay()
    await lose(id)
    await enqueueWaitingMails(t.deps)
    await t.deps.db.updateTable('account').set({ status: 'connected' }).where('id', '=', id).execute()
    await t.runJobs()
    expect(await waitingMails(owner)).toEqual([])
  })

  test('nothing is mailed about a workspace that was deleted', async () => {
    const owner = await signedIn(t)
    const name = 'Deleted bakery'
    const { body } = expectStatus(await owner.post('/api/v1/workspaces', { name, timezone: 'UTC' }), 201)
    const person: WorkspaceOwner = { ...owner, workspace_id: body.id }
    const id = await playgroundAccount(person)
    await schedule(person, [id], 1)
    await lose(id)
    await t.deps.db.updateTable('workspace').set({ deleted_at: t.clock.now() }).where('id', '=', body.id).execute()
    await runDay()
    expect(await waitingMails(owner)).toEqual([])
  })
})

test('the mail about a disconnected account tells how many scheduled posts wait for it', async () => {
  const bluesky = await blueskyServer()
  const owner = await withWorkspace(t)
  const fields = bluesky.addAccount()
  const { body } = expectStatus(
    await owner.post('/api/v1/accounts', { network: 'bluesky', service: bluesky.url, ...fields }),
    201,
  )
  for (const hours of [1, 2]) await schedule(owner, [body.id], hours)
  bluesky.changePassword(fields.handle)
  expectStatus(await owner.post(`/api/v1/accounts/${body.id}/check`), 200)
  await t.runJobs()
  const mail = (await mailsTo(t, owner.email)).find(({ key }) => key === 'account-disconnected')
  expect(mail?.body_text).toMatch(/Scheduled posts that wait\D*2\b/)
  bluesky.close()
})
