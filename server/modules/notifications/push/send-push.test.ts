import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, openSession, type Person } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { pushSubscription, subscriptionsOf } from '../../../../test/push.ts'
import { scaled } from '../../../../test/run/machine.ts'
import { pushService } from '../../../../test/stand-ins/push-service.ts'
import type { Failure } from '../../../../test/stand-ins/server.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { approvalTeam } from '../../posts/approval/approval.fixture.ts'
import { advanceMinutes, failingNetwork, LIST, PREFERENCES, seenBy } from '../notifications.fixture.ts'
import { insertNotifications } from '../notify.ts'
import { readPushKey } from './push-key.ts'
import { cutToBytes, pushMessage } from './push-message.ts'
import { sendPush } from './send-push.ts'
import { deleteFailingSubscriptions } from './subscriptions.ts'

const t = await testApp({ BASE_URL: 'https://meydan.test' })
const [network, service] = [await failingNetwork(t), await pushService()]
afterAll(() => {
  network.close()
  service.close()
})
// Sends what earlier tests left due within a day: those messages would take the failures that a test sets.
beforeEach(async () => {
  service.failNext()
  for (const minutes of [DAY / MINUTE, 1]) await advanceMinutes(t, minutes)
})

const status = (status: number, headers: Record<string, string> = {}): Failure => ({
  kind: 'response',
  status,
  headers,
})

/** A browser of a person to which their notifications are pushed. */
async function browserOf(person: Person) {
  const browser = service.browser()
  await pushSubscription(person, browser.subscription)
  return browser
}
const tomorrow = () => new Date(t.clock.now().getTime() + DAY).toISOString()
const choose = async (person: Person, kind: string, push: 'now' | 'off') =>
  expectStatus(await person.patch(PREFERENCES, { kinds: [{ kind, push }] }), 200)

/** An editor with a browser, who is asked for their approval of a post. */
async function asked(content = 'Hello') {
  const team = await approvalTeam(t)
  const browser = await browserOf(team.editor)
  const post = await team.write({ content, scheduled_at: tomorrow() })
  return { ...team, browser, post: post.id as string }
}

describe('a message', () => {
  test('is encrypted for the browser, and says what happened where, in the language of its user', async () => {
    const { editor, write, ...team } = await approvalTeam(t)
    const browser = await browserOf(editor)
    expectStatus(await editor.patch('/api/v1/me', { locale: 'tr' }), 200)
    const { id } = await write({ content: 'Sabah yediden beri taze simit', scheduled_at: tomorrow() })
    await t.runJobs()
    expect(browser.calls()).toEqual([])
    await advanceMinutes(t, 1)
    const [workspace] = (await team.owner.get('/api/v1/workspaces')).body.data
    expect(browser.messages()).toEqual([
      {
        title: '“Sabah yediden beri taze simit” onayınızı bekliyor.',
        line: workspace.name,
        path: `/w/${workspace.slug}/posts/${id}`,
        tag: expect.stringMatching(/^[\w-]{32}$/),
        lang: 'tr',
      },
    ])
    expect((await subscriptionsOf(editor)).map(({ last_used_at }) => last_used_at)).toEqual([
      t.clock.now().toISOString(),
    ])
  })

  test('is signed for its push service, with a topic, a lifetime and an urgency', async () => {
    const { browser } = await asked()
    const { owner, fail } = await network.team()
    const urgent = await browserOf(owner)
    await fail('One')
    await advanceMinutes(t, 1)
    const [call] = browser.calls()
    const [message] = browser.messages()
    if (!call) throw new Error('nothing was sent')
    expect(call.headers).toMatchObject({
      ttl: '86400',
      urgency: 'normal',
      topic: message?.tag,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
    })
    const { key, aud, sub } = service.claimsOf(call)
    const { public_key } = await readPushKey(t.deps)
    expect({ key, aud, sub }).toEqual({ key: public_key, aud: service.url, sub: 'https://meydan.test' })
    expect(urgent.calls()[0]?.headers).toMatchObject({ urgency: 'high' })
  })

  test('is one for a person, an event and a browser, however often the event is told', async () => {
    const { editor, browser } = await asked()
    const second = { ...editor, ...t.anyone.with(await openSession(t, editor.id)) }
    const other = await browserOf(second)
    const [event] = await t.deps.db
      .selectFrom('notification_event')
      .select('id')
      .where('workspace_id', '=', editor.workspace_id)
      .execute()
    const tell = () => insertNotifications(t.deps, { event_id: event?.id ?? '' })
    await Promise.all(Array.from({ length: 20 }, tell))
    await advanceMinutes(t, 1)
    for (let repeat = 0; repeat < 5; repeat++) await tell()
    await advanceMinutes(t, 5)
    expect([browser.calls().length, other.calls().length]).toEqual([1, 1])
  })

  test('about several failures on one account says how many, and leads to the list', async () => {
    const { owner, fail } = await network.team()
    const browser = await browserOf(owner)
    for (const content of ['One', 'Two', 'Three']) await fail(content)
    await advanceMinutes(t, 1)
    expect(browser.messages()).toMatchObject([{ title: '“Three” could not be published. +2', path: '/notifications' }])
  })

  test('about the same post has the tag of the former one, which it replaces, and another post has another', async () => {
    const { editor, author, write, call, approve } = await approvalTeam(t)
    const browser = await browserOf(author)
    await choose(author, 'review.approved', 'now')
    const [post, other] = [await write({ scheduled_at: tomorrow() }), await write({ scheduled_at: tomorrow() })]
    expectStatus(await call(editor, post.id, 'reject', { reason: 'Too long' }), 200)
    await advanceMinutes(t, 1)
    expectStatus(await call(author, post.id, 'request-approval'), 200)
    for (const { id } of [post, other]) await approve(editor, id)
    await advanceMinutes(t, 1)
    const tagsFor = ({ id }: { id: string }) =>
      browser
        .messages()
        .filter(({ path }) => String(path).endsWith(id))
        .map(({ tag }) => tag)
    const [tag] = tagsFor(post)
    expect(tagsFor(post)).toEqual([expect.any(String), tag])
    expect(tagsFor(other)).toEqual([expect.any(String)])
    expect(tagsFor(other)).not.toEqual([tag])
  })

  test('about several posts that wait for approval says how many, and replaces the former one', async () => {
    const { editor, write } = await approvalTeam(t)
    const browser = await browserOf(editor)
    await write({ content: 'One', scheduled_at: tomorrow() })
    await advanceMinutes(t, 1)
    for (const content of ['Two', 'Three']) await write({ content, scheduled_at: tomorrow() })
    await advanceMinutes(t, 1)
    const [first, second, ...others] = browser.messages()
    expect(others).toEqual([])
    expect(first).toMatchObject({ title: '“One” waits for your approval.' })
    expect(second).toMatchObject({
      ...{ title: '“Three” waits for your approval. +2', path: '/notifications', tag: first?.tag },
    })
  })

  test('has at most 1 KB, whatever the names, and no half characters', () => {
    for (const character of ['a', 'ş', '語', '👩‍👩‍👧‍👦'])
      for (const kind of ['post.unconfirmed', 'review.requested'] as const)
        for (const lang of ['en', 'tr'] as const) {
          const message = pushMessage(
            {
              ...{
                kind,
                group_key: `${kind}:1`,
                subject_type: 'post',
                subject_id: '1',
                slug: 's'.repeat(40),
                more: 99,
              },
              subject_name: character.repeat(500),
              workspace_name: character.repeat(80),
            },
            lang,
          )
          expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(1024)
          expect(message.title).toMatch(/“.+… \+99$/u)
          expect(message.line.replaceAll(character, '')).toMatch(/^…?$/)
        }
    expect(cutToBytes('simit', 5)).toBe('simit')
    expect(cutToBytes('simitçi', 6)).toBe('sim…')
  })
})

describe('what is pushed', () => {
  test('is what the kind has by default, until the user chooses otherwise', async () => {
    const { owner, editor, author, write, approve } = await approvalTeam(t)
    const [asking, told] = [await browserOf(editor), await browserOf(author)]
    await choose(editor, 'review.requested', 'off')
    await approve(owner, (await write({ scheduled_at: tomorrow() })).id)
    await advanceMinutes(t, 1)
    expect([asking.calls(), told.calls()]).toEqual([[], []])
    await choose(author, 'review.approved', 'now')
    await approve(owner, (await write({ scheduled_at: tomorrow() })).id)
    await advanceMinutes(t, 1)
    expect(told.messages()).toMatchObject([{ title: '“Hello” was approved.' }])
  })

  test('is pushed without the console and e-mail, too', async () => {
    const { editor, write } = await approvalTeam(t)
    const browser = await browserOf(editor)
    const off = { kind: 'review.requested', console: 'off', mail: 'off' }
    expectStatus(await editor.patch(PREFERENCES, { kinds: [off] }), 200)
    await write({ scheduled_at: tomorrow() })
    await advanceMinutes(t, 1)
    expect(await seenBy(editor)).toEqual([])
    expect(browser.calls()).toHaveLength(1)
  })

  test('is not pushed when it was read before, or may no longer be seen', async () => {
    const [read, removed] = [await asked(), await asked()]
    await t.runJobs()
    expectStatus(await read.editor.post(`${LIST}/read`, {}), 204)
    expectStatus(await removed.owner.delete(`/api/v1/workspace/members/${removed.editor.id}`), 204)
    await advanceMinutes(t, 5)
    expect([read.browser.calls(), removed.browser.calls()]).toEqual([[], []])
  })

  test('is not pushed to a browser that signed out', async () => {
    const { editor, browser } = await asked()
    await t.runJobs()
    expectStatus(await editor.post('/api/auth/sign-out'), 200)
    await advanceMinutes(t, 5)
    expect(browser.calls()).toEqual([])
  })

  test('is not pushed to a browser whose session has run out', async () => {
    const { editor, write } = await approvalTeam(t)
    const browser = await browserOf(editor)
    // Sessions last seven days after their last renewal.
    t.advance(7 * DAY - MINUTE)
    await write({ scheduled_at: tomorrow() })
    await t.runJobs()
    await advanceMinutes(t, 5)
    expectProblem(await editor.get(LIST), 401, 'unauthenticated')
    expect(browser.calls()).toEqual([])
  })

  test('waits until the end of the quiet hours, except for urgent kinds', async () => {
    const at = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString().slice(11, 16)
    const { editor, write } = await approvalTeam(t)
    const failing = await network.team()
    const [browser, urgent] = [await browserOf(editor), await browserOf(failing.owner)]
    const quiet = { quiet_from: at(-HOUR), quiet_until: at(3 * HOUR) }
    for (const person of [editor, failing.owner]) {
      expectStatus(await person.patch('/api/v1/me', { timezone: 'UTC' }), 200)
      expectStatus(await person.patch(PREFERENCES, quiet), 200)
    }
    await failing.fail('One')
    await write({ scheduled_at: tomorrow() })
    await advanceMinutes(t, 5)
    expect(urgent.calls()).toHaveLength(1)
    await advanceMinutes(t, 170)
    expect(browser.calls()).toEqual([])
    await advanceMinutes(t, 6)
    expect(browser.messages()).toMatchObject([{ title: '“Hello” waits for your approval.' }])
  })
})

describe('a push service', () => {
  test.each([404, 410])('that responds with %i has no such browser: the subscription is deleted', async (code) => {
    const { editor, browser } = await asked()
    service.failNext(status(code))
    await advanceMinutes(t, 1)
    expect(await subscriptionsOf(editor)).toEqual([])
    await advanceMinutes(t, 120)
    expect(browser.calls()).toHaveLength(1)
  })

  test('that responds with 413 gets a shorter message, and no third one', async () => {
    const long = '語'.repeat(119)
    const { browser } = await asked(long)
    service.failNext(status(413))
    await advanceMinutes(t, 1)
    const [first, second] = browser.messages()
    expect(second).toMatchObject({ tag: first?.tag, path: first?.path, line: '' })
    const [full = 0, short = 0] = browser.sizes()
    expect(full).toBeGreaterThan(400)
    expect(short).toBeLessThan(400)
    const other = await asked(long)
    service.failNext(status(413), status(413))
    await advanceMinutes(t, 120)
    expect(other.browser.calls()).toHaveLength(2)
    expect(await subscriptionsOf(other.editor)).toHaveLength(1)
  })

  test('that responds with 429 is called again after the time that it names', async () => {
    const { browser } = await asked()
    service.failNext(status(429, { 'retry-after': '1800' }))
    await advanceMinutes(t, 1)
    await advanceMinutes(t, 29)
    expect(browser.calls()).toHaveLength(1)
    await advanceMinutes(t, 2)
    expect(browser.calls()).toHaveLength(2)
    await advanceMinutes(t, 120)
    expect(browser.calls()).toHaveLength(2)
  })

  test('that fails, hangs up or hangs is called again, later each time, with the same tag', async () => {
    const { editor, browser } = await asked()
    service.failNext(status(500), status(503), { kind: 'hang_up', arrives: true })
    await advanceMinutes(t, 1)
    const times = [1]
    for (let minute = 1; browser.calls().length < 4 && minute < 60; minute++) {
      await advanceMinutes(t, 1)
      times.push(browser.calls().length)
    }
    expect(times).toEqual([1, 2, 3, 3, 4])
    expect(new Set(browser.messages().map(({ tag }) => tag)).size).toBe(1)
    expect(await subscriptionsOf(editor)).toHaveLength(1)

    const slow = await asked()
    await t.runJobs()
    const [{ id: event_id }] = await seenBy(slow.editor)
    const [subscription] = await subscriptionsOf(slow.editor)
    service.failNext({ kind: 'hang', arrives: true })
    const { group_key } = await t.deps.db
      .selectFrom('notification')
      .select('group_key')
      .where('event_id', '=', event_id)
      .executeTakeFirstOrThrow()
    await sendPush(t.deps, { subscription_id: subscription?.id ?? '', group_key, event_id }, scaled(500))
    expect(slow.browser.calls()).toHaveLength(1)
    await advanceMinutes(t, 1)
    expect(slow.browser.calls()).toHaveLength(2)
  })

  test('that sends more than it should is no success', async () => {
    const { editor, browser } = await asked()
    service.failNext({ kind: 'flood' })
    await advanceMinutes(t, 1)
    expect((await subscriptionsOf(editor)).map(({ last_used_at }) => last_used_at)).toEqual([null])
    await advanceMinutes(t, 1)
    expect(browser.calls()).toHaveLength(2)
  })

  test('is given up after a day, and its browser after thirty without a message', async () => {
    const { editor, browser } = await asked()
    service.failNext(...Array.from({ length: 100 }, () => status(503)))
    for (let hour = 0; hour < 30; hour++) await advanceMinutes(t, 60)
    const calls = browser.calls().length
    expect(calls).toBeGreaterThan(10)
    await advanceMinutes(t, 24 * 60)
    expect(browser.calls()).toHaveLength(calls)
    const rows = () => t.deps.db.selectFrom('push_subscription').select('id').where('user_id', '=', editor.id).execute()
    t.advance(27 * DAY)
    await deleteFailingSubscriptions(t.deps)
    expect(await rows()).toHaveLength(1)
    t.advance(3 * DAY)
    await deleteFailingSubscriptions(t.deps)
    expect(await rows()).toEqual([])
  })

  test.each([302, 400, 403])('that refuses a message with %i is not called again with it', async (code) => {
    const { editor, browser } = await asked()
    service.failNext(status(code, { location: `${service.url}/elsewhere` }))
    await advanceMinutes(t, 1)
    await advanceMinutes(t, 120)
    expect(browser.calls()).toHaveLength(1)
    expect(await subscriptionsOf(editor)).toHaveLength(1)
  })

  test('at an address that is not allowed any more is not called', async () => {
    const { editor, browser } = await asked()
    const strict = await testApp({ BASE_URL: 'https://meydan.test', WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16' }, { beside: t })
    try {
      await t.runJobs()
      const [{ id: event_id }] = await seenBy(editor)
      const [subscription] = await subscriptionsOf(editor)
      const { group_key } = await t.deps.db
        .selectFrom('notification')
        .select('group_key')
        .where('event_id', '=', event_id)
        .executeTakeFirstOrThrow()
      await sendPush(strict.deps, { subscription_id: subscription?.id ?? '', group_key, event_id })
      expect(browser.calls()).toEqual([])
      const { failing_since } = await inTransaction(t.deps.db, (tx) =>
        tx
          .selectFrom('push_subscription')
          .select('failing_since')
          .where('user_id', '=', editor.id)
          .executeTakeFirstOrThrow(),
      )
      expect(failing_since).toBeInstanceOf(Date)
    } finally {
      await strict.close()
    }
  })
})
