import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../shared/time.ts'
import { testApp } from '../../../test/app.ts'
import {
  changeRole,
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { approvalTeam, step } from '../posts/approval/approval.fixture.ts'
import { failingNetwork, kindsSeenBy, LIST, seenBy } from './notifications.fixture.ts'
import { deleteOldNotifications } from './notifications.ts'
import { insertNotifications, notify } from './notify.ts'

const t = await testApp()
const network = await failingNetwork(t)
afterAll(() => network.close())

const eventsOf = (workspace_id: string) =>
  t.deps.db.selectFrom('notification_event').select('id').where('workspace_id', '=', workspace_id).execute()
const rowsOf = (event_id: string) =>
  t.deps.db.selectFrom('notification').select('user_id').where('event_id', '=', event_id).execute()

/** An event without its job. */
async function untoldEvent() {
  const owner = await withWorkspace(t)
  const now = t.clock.now()
  await inTransaction(t.deps.db, (tx) =>
    notify(
      tx,
      {
        ...{ kind: 'account.disconnected', workspace_id: owner.workspace_id, cause: randomUUID() },
        subject: { id: randomUUID(), name: 'Bakery' },
        to: { roles: ['editor', 'admin', 'owner'] },
      },
      now,
    ),
  )
  const [event] = await eventsOf(owner.workspace_id)
  return { owner, event_id: event?.id ?? '' }
}

describe('an event', () => {
  test('is one notification for each person who is told, when its job runs twice and when two jobs race', async () => {
    const { owner, event_id } = await untoldEvent()
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    await Promise.all([1, 2, 3, 4].map(() => insertNotifications(t.deps, { event_id })))
    await insertNotifications(t.deps, { event_id })
    await t.runJobs()
    expect((await rowsOf(event_id)).map(({ user_id }) => user_id).sort()).toEqual([owner.id, editor.id].sort())
    expect(await seenBy(owner)).toMatchObject([
      { kind: 'account.disconnected', count: 1, unread: true, actor: null, workspace: { id: owner.workspace_id } },
    ])
  })

  test('is reported once, however often its cause is', async () => {
    const owner = await withWorkspace(t)
    const subject = { id: randomUUID(), name: 'Bakery' }
    const report = () =>
      inTransaction(t.deps.db, (tx) =>
        notify(
          tx,
          { kind: 'account.ending', workspace_id: owner.workspace_id, cause: 'one', subject, to: { roles: ['owner'] } },
          t.clock.now(),
        ),
      )
    await Promise.all([report(), report(), report()])
    await report()
    expect(await eventsOf(owner.workspace_id)).toHaveLength(1)
  })

  test('is not told when its cause is rolled back', async () => {
    const owner = await withWorkspace(t)
    const cause = inTransaction(t.deps.db, async (tx) => {
      const to = { roles: ['owner'] as const }
      const subject = { id: randomUUID(), name: 'Bakery' }
      const { workspace_id } = owner
      await notify(tx, { kind: 'account.ending', workspace_id, cause: 'one', subject, to }, t.clock.now())
      throw new Error('The cause fails.')
    })
    await expect(cause).rejects.toThrow('The cause fails.')
    await t.runJobs()
    expect(await seenBy(owner)).toEqual([])
  })

  test('is told to those who are members when its job runs, in the role that they have then', async () => {
    const { owner, event_id } = await untoldEvent()
    const later = await memberOf(t, owner.workspace_id, 'editor')
    const demoted = await memberOf(t, owner.workspace_id, 'editor')
    await changeRole(t, demoted, 'viewer')
    const stranger = await withWorkspace(t)
    await insertNotifications(t.deps, { event_id })
    expect(await kindsSeenBy(later)).toEqual(['account.disconnected'])
    for (const person of [demoted, stranger]) expect(await seenBy(person)).toEqual([])
  })
})

describe('what is told', () => {
  test('a failed post is told to its author and the editors, and not to others', async () => {
    const { owner, editor, viewer, fail } = await network.team()
    const author = await memberOf(t, owner.workspace_id, 'author')
    const post = await fail('Fresh simit', author)
    for (const person of [author, owner, editor])
      expect(await seenBy(person)).toMatchObject([
        { kind: 'post.failed', subject: { type: 'post', id: post, name: 'Fresh simit' }, detail: expect.any(String) },
      ])
    expect(await seenBy(viewer)).toEqual([])
  })

  test('failures of one account are one group, and the bell counts it once', async () => {
    const { owner, fail } = await network.team()
    for (const content of ['One', 'Two', 'Three']) await fail(content)
    expect(await seenBy(owner)).toMatchObject([{ count: 3, unread: true, subject: { name: 'Three' } }])
  })

  test('a post that waits for approval is told to its approvers, and its author what they decided', async () => {
    const { editor, author, owner, write, approve, call } = await approvalTeam(t)
    const first = await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    const second = await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    await t.runJobs()
    expect(await seenBy(editor)).toMatchObject([{ kind: 'review.requested', count: 2, subjects: 2 }])
    expect(await kindsSeenBy(author)).toEqual([])
    await approve(editor, first.id)
    expectStatus(await call(owner, second.id, 'reject', { reason: 'Too long' }), 200)
    await t.runJobs()
    expect(await seenBy(author)).toMatchObject([
      { kind: 'review.rejected', detail: 'Too long', actor: { id: owner.id } },
      { kind: 'review.approved', actor: { id: editor.id } },
    ])
  })

  test('posts that wait for approval are one group in each workspace and hour, with a row for each', async () => {
    t.advance(HOUR - (t.clock.now().getTime() % HOUR))
    const { owner, editor, write } = await approvalTeam(t)
    const at = { scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() }
    const ids = [(await write(at)).id, (await write(at)).id]
    const other = await withWorkspace(t)
    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: other.workspace_id, user_id: editor.id, role: 'editor' })
      .execute()
    expectStatus(await other.put('/api/v1/workspace/approval-policy', { mode: 'one', own_posts: true }), 200)
    const elsewhere = { content: 'Elsewhere', account_ids: [await playgroundAccount(other)], ...at }
    expectStatus(await other.post('/api/v1/posts', elsewhere), 201)
    await t.runJobs()
    const groups = [
      { count: 1, workspace: { id: other.workspace_id } },
      { count: 2, subjects: 2, unread: true, subject: { id: ids[1] }, workspace: { id: owner.workspace_id } },
    ]
    expect(await seenBy(editor)).toMatchObject(groups)
    for (const { id } of await eventsOf(owner.workspace_id))
      expect((await rowsOf(id)).map(({ user_id }) => user_id).sort()).toEqual([owner.id, editor.id].sort())
    t.advance(HOUR)
    await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    await t.runJobs()
    expect(await seenBy(editor)).toMatchObject([{ count: 1, subjects: 1 }, ...groups])
  })

  test('a group counts a post once that waits for approval again', async () => {
    t.advance(HOUR - (t.clock.now().getTime() % HOUR))
    const { editor, author, write, call } = await approvalTeam(t)
    const { id } = await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    await t.runJobs()
    expectStatus(await call(editor, id, 'reject', { reason: 'Too long' }), 200)
    expectStatus(await call(author, id, 'request-approval'), 200)
    await t.runJobs()
    expect(await seenBy(editor)).toMatchObject([{ kind: 'review.requested', count: 2, subjects: 1 }])
  })

  test('who sets a policy is not told of the posts that it puts in review, and the other approvers are', async () => {
    t.advance(HOUR - (t.clock.now().getTime() % HOUR))
    const { owner, editor, account, write } = await approvalTeam(t, { mode: 'none' })
    const at = () => ({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    for (const content of ['One', 'Two', 'Three']) await write({ content, ...at() })
    expectStatus(await owner.put('/api/v1/workspace/approval-policy', { mode: 'one' }), 200)
    await t.runJobs()
    expect(await seenBy(owner)).toEqual([])
    expect(await seenBy(editor)).toMatchObject([{ count: 3, subjects: 3, actor: { id: owner.id } }])

    expectStatus(await owner.put('/api/v1/workspace/approval-policy', { mode: 'none' }), 200)
    await t.runJobs()
    await write(at())
    const token = await withToken(t, owner)
    expectStatus(await token.put(`/api/v1/accounts/${account}/approval-policy`, { mode: 'one' }), 200)
    await t.runJobs()
    expect(await seenBy(owner)).toEqual([])
    expect(await seenBy(editor)).toMatchObject([{ count: 4, subjects: 4 }])
  })

  test('the member who acted is not told', async () => {
    const { owner, editor, author, write } = await approvalTeam(t, { mode: 'one', own_posts: true })
    await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() }, editor)
    await t.runJobs()
    expect(await kindsSeenBy(owner)).toEqual(['review.requested'])
    expect(await seenBy(editor)).toEqual([])
    expect(await seenBy(author)).toEqual([])
  })

  test('the next step of a policy is told to those who can decide in it, and each step once', async () => {
    const made = await approvalTeam(t)
    const chief = await memberOf(t, made.owner.workspace_id, 'admin')
    const steps = [step(made.editor, made.owner), step(chief)]
    expectStatus(await made.owner.put('/api/v1/workspace/approval-policy', { mode: 'steps', steps }), 200)
    const { id } = await made.write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    await t.runJobs()
    expect(await kindsSeenBy(made.editor)).toEqual(['review.requested'])
    expect(await kindsSeenBy(chief)).toEqual([])
    await made.approve(made.editor, id)
    await t.runJobs()
    expect(await kindsSeenBy(chief)).toEqual([])
    expect((await seenBy(made.owner))[0]).toMatchObject({ kind: 'review.requested', count: 1 })
    await made.approve(made.owner, id)
    await t.runJobs()
    expect(await kindsSeenBy(chief)).toEqual(['review.requested'])
  })

  test('a post that was decided before the job runs is told to nobody as waiting', async () => {
    const { owner, editor, write, approve } = await approvalTeam(t)
    const { id } = await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    await approve(editor, id)
    await t.runJobs()
    expect(await seenBy(owner)).toEqual([])
  })

  test('a post that is not approved in time is told to its author and approvers', async () => {
    const { owner, author, write, pass } = await approvalTeam(t)
    await write({ scheduled_at: new Date(t.clock.now().getTime() + 20 * 60_000).toISOString() })
    await pass(21)
    await t.runJobs()
    expect(await kindsSeenBy(author)).toEqual(['review.missed'])
    expect(await kindsSeenBy(owner)).toEqual(['review.missed', 'review.requested'])
  })
})

describe('access', () => {
  test('is checked again on reading: a lower role, a deleted post and a deleted workspace hide what was told', async () => {
    const { owner, event_id } = await untoldEvent()
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    await insertNotifications(t.deps, { event_id })
    await changeRole(t, editor, 'author')
    expect(await seenBy(editor)).toEqual([])
    expectProblem(await editor.post(`${LIST}/${event_id}/read`), 404, 'not_found')

    const failing = await network.team()
    const post = await failing.fail('Fresh simit')
    expect(await kindsSeenBy(failing.editor)).toEqual(['post.failed'])
    expectStatus(await failing.owner.delete(`/api/v1/posts/${post}`), 204)
    expect(await seenBy(failing.editor)).toEqual([])

    expect(await kindsSeenBy(owner)).toEqual(['account.disconnected'])
    await t.deps.db
      .updateTable('workspace')
      .set({ deleted_at: t.clock.now() })
      .where('id', '=', owner.workspace_id)
      .execute()
    expect(await seenBy(owner)).toEqual([])
  })

  test('ends with the membership, and a new membership does not bring old notifications back', async () => {
    const { owner, event_id } = await untoldEvent()
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    await insertNotifications(t.deps, { event_id })
    expect(await kindsSeenBy(editor)).toEqual(['account.disconnected'])
    expectStatus(await owner.delete(`/api/v1/workspace/members/${editor.id}`), 204)
    expect((await rowsOf(event_id)).map(({ user_id }) => user_id)).toEqual([owner.id])
    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: owner.workspace_id, user_id: editor.id, role: 'editor' })
      .execute()
    expect(await seenBy(editor)).toEqual([])
  })

  test('is for sessions only', async () => {
    const owner = await withWorkspace(t)
    const token = await withToken(t, owner)
    expectProblem(await token.get(LIST), 403, 'token_not_accepted')
    expectProblem(await t.anyone.get(LIST), 401, 'unauthenticated')
  })
})

describe('marking as read', () => {
  test('marks a group up to the notification that was seen, and a later one makes it unread again', async () => {
    const { owner, editor, fail } = await network.team()
    await fail('One')
    const [seen] = await seenBy(owner)
    await fail('Two')
    expectStatus(await owner.post(`${LIST}/${seen.id}/read`), 204)
    const [group] = await seenBy(owner)
    expect(group).toMatchObject({ count: 2, unread: true })
    expectStatus(await owner.post(`${LIST}/${group.id}/read`), 204)
    expectStatus(await owner.post(`${LIST}/${group.id}/read`), 204)
    expect(await seenBy(owner)).toMatchObject([{ count: 2, unread: false }])
    expect(await seenBy(owner, '?state=unread')).toEqual([])
    expect(await seenBy(owner, '?state=read')).toHaveLength(1)
    expect(await seenBy(editor, '?state=unread')).toMatchObject([{ count: 2 }])
    const stranger = await signedIn(t)
    expectProblem(await stranger.post(`${LIST}/${group.id}/read`), 404, 'not_found')
  })

  test('marks all that were shown, and not what came since', async () => {
    const { author, editor, write, call } = await approvalTeam(t)
    const reject = async () => {
      const { id } = await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
      expectStatus(await call(editor, id, 'reject', { reason: 'No' }), 200)
      await t.runJobs()
    }
    await reject()
    await reject()
    const [newest] = await seenBy(author)
    await reject()
    expectStatus(await author.post(`${LIST}/read`, { until: newest.id }), 204)
    expect((await seenBy(author)).map(({ unread }: { unread: boolean }) => unread)).toEqual([true, false, false])
    expectStatus(await author.post(`${LIST}/read`, {}), 204)
    expect(await seenBy(author, '?state=unread')).toEqual([])
  })
})

describe('the list', () => {
  test('has pages, each group once', async () => {
    const { author, editor, write, call } = await approvalTeam(t)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      const { id } = await write({ scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
      expectStatus(await call(editor, id, 'reject', { reason: 'No' }), 200)
      ids.unshift(id)
    }
    await t.runJobs()
    const found: string[] = []
    let cursor: string | null = null
    do {
      const query: string = `?limit=2${cursor ? `&cursor=${cursor}` : ''}`
      const { body } = expectStatus(await author.get(`${LIST}${query}`), 200)
      found.push(...body.data.map(({ subject }: { subject: { id: string } }) => subject.id))
      cursor = body.next_cursor
    } while (cursor)
    expect(found.sort()).toEqual(ids.sort())
  })

  test('shows each group at its newest notification, on whatever page the others would be', async () => {
    const owner = await withWorkspace(t)
    for (const [index, group] of ['a', 'b', 'a', 'c', 'b', 'd'].entries())
      await inTransaction(t.deps.db, (tx) =>
        notify(
          tx,
          {
            ...{ kind: 'account.disconnected', workspace_id: owner.workspace_id, cause: `${index}`, group },
            subject: { id: randomUUID(), name: group },
            to: { roles: ['owner'] },
          },
          t.clock.now(),
        ),
      )
    await t.runJobs()
    const pagesOf = async (query = '') => {
      const pages: string[][] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path: string = `${LIST}?limit=2${query}${cursor && `&cursor=${cursor}`}`
        const { body } = expectStatus(await owner.get(path), 200)
        pages.push(body.data.map((one: { subject: { name: string }; count: number }) => one.subject.name + one.count))
        cursor = body.next_cursor
      }
      return pages
    }
    expect(await pagesOf()).toEqual([
      ['d1', 'b2'],
      ['c1', 'a2'],
    ])
    const c = (await seenBy(owner)).find((one: { subject: { name: string } }) => one.subject.name === 'c')
    expectStatus(await owner.post(`${LIST}/${c.id}/read`), 204)
    expect(await pagesOf('&state=unread')).toEqual([['d1', 'b2'], ['a2']])
    expect(await pagesOf('&state=read')).toEqual([['c1']])
  })

  test('keeps notifications for 90 days', async () => {
    const { owner, event_id } = await untoldEvent()
    await insertNotifications(t.deps, { event_id })
    t.advance(89 * DAY)
    await deleteOldNotifications(t.deps)
    expect(await rowsOf(event_id)).toHaveLength(1)
    t.advance(2 * DAY)
    await deleteOldNotifications(t.deps)
    expect(await eventsOf(owner.workspace_id)).toEqual([])
    expect(await rowsOf(event_id)).toEqual([])
  })
})
