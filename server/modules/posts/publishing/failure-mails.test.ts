import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  openSession,
  type Person,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'

const MINUTE = 60_000

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

/** A workspace with a Bluesky account, whose next posts are rejected. */
async function withRejections(posts: number) {
  const owner = await withWorkspace(t)
  const fields = bluesky.addAccount()
  const input = { network: 'bluesky', service: bluesky.url, ...fields }
  const { id } = expectStatus(await owner.post('/api/v1/accounts', input), 201).body
  bluesky.failNext(...Array(posts).fill({ kind: 'response', status: 400, error: 'InvalidRecord' }))
  return { owner, account: id as string, handle: fields.handle }
}

async function publish(person: WorkspaceOwner, account: string, content: string) {
  const post = { content, account_ids: [account], publish_now: true }
  const { body } = expectStatus(await person.post('/api/v1/posts', post), 201)
  await t.runJobs()
  return body as { id: string }
}

const advance = async (ms: number) => {
  await t.advance(ms)
  await t.runJobs()
}
const mails = async ({ email }: Person) => (await mailsTo(t, email)).filter(({ key }) => /^posts?-failed$/.test(key))
const counts = async (owner: WorkspaceOwner) => expectStatus(await owner.get('/api/v1/posts/counts'), 200).body

describe('mails about failed posts', () => {
  test('a failed post is mailed to its author in their language, with the account and a link to the post', async () => {
    const { owner, account, handle } = await withRejections(1)
    expectStatus(await owner.patch('/api/v1/me', { locale: 'tr', timezone: 'Europe/Istanbul' }), 200)
    const post = await publish(owner, account, 'Taze simit\nsabah yedide')
    expect(await mails(owner)).toEqual([])
    await advance(5 * MINUTE)
    const [mail, ...others] = await mails(owner)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ key: 'post-failed', locale: 'tr' })
    expect(mail?.subject).toMatch(/çalışma alanında bir gönderi yayımlanamadı$/)
    expect(mail?.body_text).toContain('“Taze simit sabah yedide”')
    expect(mail?.body_text).toContain(`${handle} (Bluesky)`)
    expect(mail?.body_text).toContain(`/posts/${post.id}\n`)
  })

  test('posts that fail in a short time are mailed together, and the next mail comes 15 minutes later', async () => {
    const { owner, account } = await withRejections(9)
    await publish(owner, account, 'First')
    await t.advance(30_000)
    for (const content of ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth']) await publish(owner, account, content)
    await advance(5 * MINUTE - 30_000)
    const [digest] = await mails(owner)
    expect(digest).toMatchObject({ key: 'posts-failed' })
    expect(digest?.subject).toMatch(/^6 posts of /)
    expect(digest?.body_text).toContain('“First”, “Second”, “Third”, “Fourth”, “Fifth” +1')
    await publish(owner, account, 'Seventh')
    await advance(MINUTE)
    await publish(owner, account, 'Eighth')
    await advance(13 * MINUTE)
    expect(await mails(owner)).toHaveLength(1)
    await advance(MINUTE)
    expect((await mails(owner)).map(({ key }) => key)).toEqual(['posts-failed', 'posts-failed'])
  })

  test('a post that was deleted or published meanwhile is not mailed', async () => {
    const { owner, account } = await withRejections(2)
    const retried = await publish(owner, account, 'Retried')
    const deleted = await publish(owner, account, 'Deleted')
    expectStatus(await owner.post(`/api/v1/posts/${retried.id}/retry`), 200)
    expectStatus(await owner.call('DELETE', `/api/v1/posts/${deleted.id}`), 204)
    await advance(5 * MINUTE)
    expect(await mails(owner)).toEqual([])
  })

  test('an author who turned these mails off, or is no longer a member, gets none', async () => {
    const { owner, account } = await withRejections(2)
    const [quiet, gone] = [
      await memberOf(t, owner.workspace_id, 'author'),
      await memberOf(t, owner.workspace_id, 'author'),
    ]
    expect(expectStatus(await quiet.patch('/api/v1/me', { mail_post_failures: false }), 200).body).toMatchObject({
      mail_post_failures: false,
    })
    await publish(quiet, account, 'By the quiet one')
    await publish(gone, account, 'By the one who left')
    expectStatus(await owner.call('DELETE', `/api/v1/workspace/members/${gone.id}`), 204)
    await advance(5 * MINUTE)
    expect([await mails(quiet), await mails(gone), await mails(owner)]).toEqual([[], [], []])
    expect(await counts(owner)).toMatchObject({ failed: 2 })
  })
})

describe('GET /posts/counts', () => {
  test('200 with the failed posts of the last seven days', async () => {
    const { owner, account } = await withRejections(2)
    expect(await counts(owner)).toMatchObject({ failed: 0 })
    const [deleted] = [await publish(owner, account, 'Deleted'), await publish(owner, account, 'Failed')]
    expect(await counts(owner)).toMatchObject({ failed: 2 })
    expectStatus(await owner.call('DELETE', `/api/v1/posts/${deleted.id}`), 204)
    expect(await counts(owner)).toMatchObject({ failed: 1 })
    await t.advance(7 * 24 * 60 * MINUTE)
    const later = { ...owner, ...owner.with(await openSession(t, owner.id)) }
    expect(await counts(later)).toMatchObject({ failed: 0 })
  })
})
