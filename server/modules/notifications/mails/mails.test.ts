import { afterAll, describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type Person } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { approvalTeam } from '../../posts/approval/approval.fixture.ts'
import { advanceMinutes, failingNetwork, kindsSeenBy, LIST, PREFERENCES, seenBy } from '../notifications.fixture.ts'
import { enqueueDigests } from './digest.ts'

const t = await testApp()
const network = await failingNetwork(t)
afterAll(() => network.close())

const mails = async ({ email }: Person) =>
  (await mailsTo(t, email)).map(({ key, subject, body_text }) => ({ key, subject, body_text }))
const keys = async (person: Person) => (await mails(person)).map(({ key }) => key)
const choose = async (person: Person, kind: string, modes: object) =>
  expectStatus(await person.patch(PREFERENCES, { kinds: [{ kind, ...modes }] }), 200)
const tomorrow = () => new Date(t.clock.now().getTime() + DAY).toISOString()
const digests = async () => {
  await enqueueDigests(t.deps)
  await t.runJobs()
}

describe('mails at once', () => {
  test('what comes within two minutes is one mail, which leads to the notifications', async () => {
    const { editor, write } = await approvalTeam(t)
    for (const content of ['One', 'Two']) await write({ content, scheduled_at: tomorrow() })
    await advanceMinutes(t, 1)
    expect(await mails(editor)).toEqual([])
    await advanceMinutes(t, 1)
    const [mail, ...others] = await mails(editor)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ key: 'notifications', subject: '“One” waits for your approval. +1' })
    expect(mail?.body_text).toContain('“One” waits for your approval. +1\n\n“Two” waits for your approval.\n')
    expect(mail?.body_text).toContain('http://meydan.test/notifications')
    await advanceMinutes(t, 60)
    expect(await keys(editor)).toEqual(['notifications'])
  })

  test('what was read before is not mailed', async () => {
    const { editor, owner, write } = await approvalTeam(t)
    await write({ scheduled_at: tomorrow() })
    await t.runJobs()
    const [{ id }] = await seenBy(editor)
    expectStatus(await editor.post(`${LIST}/${id}/read`), 204)
    await advanceMinutes(t, 3)
    expect(await mails(editor)).toEqual([])
    expect(await keys(owner)).toEqual(['notifications'])
  })

  test('failures within five minutes are one mail to each, and nobody gets two about the same', async () => {
    const { owner, editor, viewer, fail } = await network.team()
    for (const content of ['One', 'Two', 'Three']) {
      await fail(content)
      await advanceMinutes(t, 1)
    }
    await advanceMinutes(t, 2)
    expect(await keys(owner)).toEqual(['posts-failed'])
    const [mail, ...others] = await mails(editor)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ key: 'notifications', subject: '“One” could not be published. +2' })
    expect(await mails(viewer)).toEqual([])
  })

  test('a member who was removed meanwhile gets no mail', async () => {
    const { owner, editor, write } = await approvalTeam(t)
    await write({ scheduled_at: tomorrow() })
    await t.runJobs()
    expect(await kindsSeenBy(editor)).toEqual(['review.requested'])
    expectStatus(await owner.delete(`/api/v1/workspace/members/${editor.id}`), 204)
    await advanceMinutes(t, 3)
    expect(await mails(editor)).toEqual([])
  })
})

describe('preferences', () => {
  test('are the defaults at first, and a change concerns only what it names', async () => {
    const { owner } = await network.team()
    const of = async (kind: string) =>
      expectStatus(await owner.get(PREFERENCES), 200).body.kinds.find((one: { kind: string }) => one.kind === kind)
    expect(await of('review.approved')).toMatchObject({ console: 'now', mail: 'digest', urgent: false })
    expect(await of('post.failed')).toMatchObject({ console: 'now', mail: 'now', urgent: true })
    await choose(owner, 'review.approved', { mail: 'now' })
    expect(await of('review.approved')).toMatchObject({ console: 'now', mail: 'now' })
    await choose(owner, 'review.approved', { console: 'off' })
    expect(await of('review.approved')).toMatchObject({ console: 'off', mail: 'now' })
  })

  test('refuse to turn off mails about payments, and quiet hours with one end', async () => {
    const { owner } = await network.team()
    const payments = await owner.patch(PREFERENCES, { kinds: [{ kind: 'billing.payment_failed', mail: 'off' }] })
    expect(payments.body).toMatchObject({ status: 400, errors: [{ pointer: '/kinds/0/mail' }] })
    for (const times of [{ quiet_from: '22:00' }, { quiet_from: '22:00', quiet_until: '22:00' }])
      expect((await owner.patch(PREFERENCES, times)).body).toMatchObject({
        status: 400,
        errors: [{ pointer: '/quiet_until' }],
      })
  })

  test('turn mails off, also those that the cause sends, and leave the console as it is', async () => {
    const { owner, editor, fail } = await network.team()
    for (const person of [owner, editor]) await choose(person, 'post.failed', { mail: 'off' })
    await fail('One')
    await advanceMinutes(t, 20)
    await digests()
    for (const person of [owner, editor]) {
      expect(await mails(person)).toEqual([])
      expect(await kindsSeenBy(person)).toEqual(['post.failed'])
    }
  })

  test('turn the console off, and leave the mail as it is', async () => {
    const { editor, fail } = await network.team()
    await choose(editor, 'post.failed', { console: 'off' })
    await fail('One')
    await advanceMinutes(t, 5)
    expect(await seenBy(editor)).toEqual([])
    expect(await keys(editor)).toEqual(['notifications'])
  })

  test('and the profile have one choice about mails of failed posts', async () => {
    const { owner } = await network.team()
    const mode = async () =>
      (await owner.get(PREFERENCES)).body.kinds.find(({ kind }: { kind: string }) => kind === 'post.failed').mail
    expectStatus(await owner.patch('/api/v1/me', { mail_post_failures: false }), 200)
    expect(await mode()).toBe('off')
    await choose(owner, 'post.failed', { mail: 'digest' })
    expect([await mode(), (await owner.get('/api/v1/me')).body.mail_post_failures]).toEqual(['digest', true])
    await choose(owner, 'post.failed', { mail: 'off' })
    expect((await owner.get('/api/v1/me')).body.mail_post_failures).toBe(false)
    expectStatus(await owner.patch('/api/v1/me', { mail_post_failures: true }), 200)
    expect(await mode()).not.toBe('off')
  })
})

describe('quiet hours', () => {
  test('put mails off to their end, and do not drop them', async () => {
    const { editor, owner, write, pass } = await approvalTeam(t)
    const now = t.clock.now()
    const at = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(11, 16)
    const quiet = { quiet_from: at(-HOUR), quiet_until: at(3 * HOUR) }
    expectStatus(await editor.patch('/api/v1/me', { timezone: 'UTC' }), 200)
    expectStatus(await editor.patch(PREFERENCES, quiet), 200)
    await write({ scheduled_at: new Date(now.getTime() + 20 * 60_000).toISOString() })
    await advanceMinutes(t, 5)
    expect([await keys(editor), await keys(owner)]).toEqual([[], ['notifications']])
    // The mail of a cause waits in the outbox.
    await pass(20)
    await advanceMinutes(t, 5)
    expect(await keys(owner)).toEqual(['notifications', 'posts-unapproved'])
    await advanceMinutes(t, 149)
    expect(await keys(editor)).not.toContain('notifications')
    await advanceMinutes(t, 2)
    expect((await keys(editor)).sort()).toEqual(['notifications', 'posts-unapproved'])
  })

  test('do not put off what is urgent', async () => {
    const { editor, fail } = await network.team()
    expectStatus(await editor.patch('/api/v1/me', { timezone: 'UTC' }), 200)
    const at = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString().slice(11, 16)
    expectStatus(await editor.patch(PREFERENCES, { quiet_from: at(-HOUR), quiet_until: at(3 * HOUR) }), 200)
    await fail('One')
    await advanceMinutes(t, 5)
    expect(await keys(editor)).toEqual(['notifications'])
  })
})

describe('the daily mail', () => {
  /** A reader in this zone who gets a notification for the digest, and the time until the mail came. */
  async function waitOf(person: Person, cause: () => Promise<unknown>) {
    await cause()
    await t.runJobs()
    const before = (await mails(person)).length
    for (let minutes = 0; ; minutes += 5) {
      await digests()
      if ((await mails(person)).length > before) return t.clock.now().toISOString()
      if (minutes > 2 * 24 * 60) throw new Error('no daily mail came')
      await advanceMinutes(t, 5)
    }
  }
  const moveTo = (time: string) => t.advance(Date.parse(time) - t.clock.now().getTime())

  test('comes at the hour of the reader, before and after the clocks change, and once', async () => {
    moveTo('2035-10-26T12:00:00Z')
    const { author, editor, write, approve } = await approvalTeam(t)
    expectStatus(await author.patch('/api/v1/me', { timezone: 'Europe/Berlin' }), 200)
    const approved = async () => approve(editor, (await write({ content: 'One', scheduled_at: tomorrow() })).id)
    // Berlin is two hours ahead of UTC until 28 October, and one hour afterwards.
    expect(await waitOf(author, approved)).toBe('2035-10-27T06:30:00.000Z')
    expect(await waitOf(author, approved)).toBe('2035-10-28T07:30:00.000Z')
    expect(await waitOf(author, approved)).toBe('2035-10-29T07:30:00.000Z')
    const [first] = await mails(author)
    expect(first?.key).toBe('notification-digest')
    expect(first?.body_text).toContain(': “One” was approved.')
    await advanceMinutes(t, 24 * 60)
    await digests()
    expect(await mails(author)).toHaveLength(3)
  }, 120_000)

  test('comes at the end of the gap when the clocks skip its time', async () => {
    moveTo('2036-03-29T12:00:00Z')
    const { author, editor, write, approve } = await approvalTeam(t)
    expectStatus(await author.patch('/api/v1/me', { timezone: 'Europe/Berlin' }), 200)
    expectStatus(await author.patch(PREFERENCES, { digest_time: '02:30' }), 200)
    const approved = async () => approve(editor, (await write({ scheduled_at: tomorrow() })).id)
    expect(await waitOf(author, approved)).toBe('2036-03-30T01:00:00.000Z')
  }, 120_000)

  test('leaves out what was read, and does not come for nothing', async () => {
    const { author, editor, write, approve } = await approvalTeam(t)
    await approve(editor, (await write({ content: 'One', scheduled_at: tomorrow() })).id)
    await t.runJobs()
    expectStatus(await author.post(`${LIST}/read`, {}), 204)
    await advanceMinutes(t, 25 * 60)
    await digests()
    expect(await mails(author)).toEqual([])
  })

  test('has what the reader does not want at once, also of a cause with a mail of its own', async () => {
    const { owner, fail } = await network.team()
    await choose(owner, 'post.failed', { mail: 'digest' })
    await fail('One')
    await advanceMinutes(t, 25 * 60)
    await digests()
    expect(await keys(owner)).toEqual(['notification-digest'])
  })
})
