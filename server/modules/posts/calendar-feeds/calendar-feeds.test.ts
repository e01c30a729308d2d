import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { calendarFeed } from '../../../../test/calendar.ts'
import type { Client } from '../../../../test/client.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { approvalTeam, EDITOR_THEN_CLIENT } from '../approval/approval.fixture.ts'
import { eraseDeletedPosts } from '../authoring/deletion.ts'

const t = await testApp()
const FEEDS = '/api/v1/calendar-feeds'
const POSTS = '/api/v1/posts'
const at = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()
const pathOf = (url: string) => url.replace(t.deps.baseUrl, '')

const scheduled = async (owner: Client, ms: number, more: object = {}) => {
  const post = { content: 'Hello', scheduled_at: at(ms), ...more }
  return expectStatus(await owner.post(POSTS, post), 201).body
}

/** A workspace with an account of the Playground. */
async function planner() {
  const owner = await withWorkspace(t)
  return { owner, account: await playgroundAccount(owner) }
}

/** The events of a feed, read by another library. */
async function eventsOf({ url }: { url: string }) {
  const { body, headers } = expectStatus(await t.anyone.get(pathOf(url)), 200)
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const text = String(body)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      title: event.summary,
      description: event.description,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      sequence: event.sequence,
      status: component.getFirstPropertyValue('status'),
      url: component.getFirstPropertyValue('url'),
      labels: component.getFirstProperty('categories')?.getValues() ?? [],
    }
  })
}
const titlesOf = async (feed: { url: string }) => (await eventsOf(feed)).map(({ title }) => title)

describe('POST /calendar-feeds', () => {
  test('201 with an address that is not shown again and of which only a hash is stored', async () => {
    const { owner, account } = await planner()
    const body = { name: ' Bakery ', account_ids: [account.toUpperCase()], labels: ['spring'], shows_text: false }
    const { url, ...feed } = expectStatus(await owner.post(FEEDS, body), 201).body
    expect(feed).toMatchObject({ name: 'Bakery', account_ids: [account], labels: ['spring'], shows_unapproved: true })
    expect(url).toMatch(new RegExp(`^http://meydan\\.test${FEEDS}/${feed.id}/posts\\.ics\\?key=[\\w-]{43}$`))
    expect((await owner.get(FEEDS)).body.data).toEqual([feed])
    const secret = url.split('key=')[1]
    const { hashed_secret } = await t.deps.db
      .selectFrom('calendar_feed')
      .select('hashed_secret')
      .where('id', '=', feed.id)
      .executeTakeFirstOrThrow()
    expect(hashed_secret).toContain(t.deps.keyring.current('calendar_feed').id)
    expect(hashed_secret).not.toContain(secret)
    const audit = (await owner.get('/api/v1/workspace/audit-log?action=calendar_feed.created')).body
    expect(audit.data).toMatchObject([{ target_id: feed.id, details: { after: { name: 'Bakery' } } }])
    expect(JSON.stringify(audit)).not.toContain(secret)
  })

  test('400 for an account of another workspace', async () => {
    const { account } = await planner()
    const { owner } = await planner()
    const { body } = await owner.post(FEEDS, { name: 'Bakery', account_ids: [account] })
    expect(body).toMatchObject({ status: 400, errors: [{ pointer: '/account_ids/0' }] })
  })

  test('403 for tokens, and beyond 20 feeds of a member, also at once', async () => {
    const { owner } = await planner()
    const { token } = await withToken(t, owner)
    const bearer = t.anyone.with({ authorization: `Bearer ${token}` })
    expectProblem(await bearer.post(FEEDS, { name: 'Bakery' }), 403, 'token_not_accepted')
    const responses = await Promise.all(Array.from({ length: 22 }, () => owner.post(FEEDS, { name: 'Bakery' })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    for (const response of responses.filter(({ status }) => status !== 201))
      expectProblem(response, 403, 'limit_exceeded')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expectStatus(await viewer.post(FEEDS, { name: 'Mine' }), 201)
  })
})

describe('a calendar feed', () => {
  test('shows planned posts as events of 15 minutes, with their text, accounts, labels and page', async () => {
    const { owner, account } = await planner()
    const content = `Günaydın, İstanbul! 🥨 ${'Simit; poğaça, çay. '.repeat(20)}\nSecond line`
    const post = await scheduled(owner, DAY, { content, account_ids: [account], labels: ['a, b', 'spring'] })
    const { name, network } = (await owner.get(`/api/v1/accounts/${account}`)).body
    const [event, ...others] = await eventsOf(await calendarFeed(owner))
    expect(others).toEqual([])
    const { slug } = (await owner.get('/api/v1/workspace')).body
    expect(event).toEqual({
      uid: `${post.id}@meydan.test`,
      title: `${[...content].slice(0, 80).join('')}…`,
      description: `${content}\n\n${name} (${network})`,
      start: post.scheduled_at,
      end: new Date(Date.parse(post.scheduled_at) + 15 * MINUTE).toISOString(),
      sequence: 1,
      status: 'CONFIRMED',
      url: `http://meydan.test/w/${slug}/posts/${post.id}`,
      labels: ['a, b', 'spring'],
    })
  })

  test('follows a post: moved with a higher sequence, canceled for a day once it is deleted', async () => {
    const { owner, account } = await planner()
    const post = await scheduled(owner, 20 * DAY, { account_ids: [account] })
    const feed = await calendarFeed(owner)
    const [before] = await eventsOf(feed)
    const time = at(21 * DAY)
    expectStatus(await owner.patch(`${POSTS}/${post.id}`, { scheduled_at: time }), 200)
    const [moved] = await eventsOf(feed)
    expect(moved).toMatchObject({ uid: before?.uid, start: time, status: 'CONFIRMED' })
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? Number.NaN)
    expectStatus(await owner.delete(`${POSTS}/${post.id}`), 204)
    const [canceled] = await eventsOf(feed)
    expect(canceled).toMatchObject({ uid: before?.uid, status: 'CANCELLED' })
    expect(canceled?.sequence).toBeGreaterThan(moved?.sequence ?? Number.NaN)
    expectStatus(await owner.post(`${POSTS}/${post.id}/restore`), 200)
    const [restored] = await eventsOf(feed)
    expect(restored).toMatchObject({ uid: before?.uid, start: time, status: 'CONFIRMED' })
    expect(restored?.sequence).toBeGreaterThanOrEqual(canceled?.sequence ?? Number.NaN)
  })

  test('shows an erased post as canceled for 7 days, without its text, where it has shown the post', async () => {
    const { owner, account } = await planner()
    const other = await playgroundAccount(owner)
    const post = await scheduled(owner, 20 * DAY, { content: 'Secret', account_ids: [account], labels: ['spring'] })
    const feeds = [await calendarFeed(owner), await calendarFeed(owner, { account_ids: [account], labels: ['spring'] })]
    const others = [await calendarFeed(owner, { account_ids: [other] }), await calendarFeed(owner, { labels: ['x'] })]
    const [before] = await eventsOf(await calendarFeed(owner))
    expectStatus(await owner.delete(`${POSTS}/${post.id}`), 204)
    const erase = async (ms: number) => {
      t.clock.advance(ms)
      await eraseDeletedPosts(t.deps)
    }
    await erase(2 * DAY)
    const { name, network } = (await owner.get(`/api/v1/accounts/${account}`)).body
    for (const feed of feeds) {
      const [event, ...rest] = await eventsOf(feed)
      expect(rest).toEqual([])
      expect(event).toMatchObject({ uid: before?.uid, start: before?.start, status: 'CANCELLED' })
      expect(event).toMatchObject({ title: `${name} (${network})`, labels: [] })
      expect(event?.sequence).toBeGreaterThan(before?.sequence ?? Number.NaN)
    }
    for (const feed of others) expect(await eventsOf(feed)).toEqual([])
    await erase(6 * DAY)
    for (const feed of feeds) expect(await eventsOf(feed)).toEqual([])
  })

  test('shows only posts of its accounts, its labels and its span', async () => {
    const { owner, account } = await planner()
    const other = await playgroundAccount(owner)
    await scheduled(owner, DAY, { content: 'Both', account_ids: [account, other], labels: ['spring'] })
    await scheduled(owner, 2 * DAY, { content: 'Other', account_ids: [other], labels: ['autumn'] })
    await scheduled(owner, 181 * DAY, { content: 'Later', account_ids: [account] })
    expectStatus(await owner.post(POSTS, { content: 'Draft', account_ids: [account] }), 201)
    expect(await titlesOf(await calendarFeed(owner))).toEqual(['Both', 'Other'])
    expect(await titlesOf(await calendarFeed(owner, { account_ids: [account] }))).toEqual(['Both'])
    expect(await titlesOf(await calendarFeed(owner, { labels: ['autumn'] }))).toEqual(['Other'])
    expect(await titlesOf(await calendarFeed(owner, { account_ids: [account], labels: ['autumn'] }))).toEqual([])
  })

  test('shows posts in review as tentative, or leaves them out', async () => {
    const { author, account } = await approvalTeam(t, EDITOR_THEN_CLIENT)
    const post = await scheduled(author, DAY, { content: 'Wait', account_ids: [account] })
    expect(post).toMatchObject({ status: 'draft', review: 'pending' })
    expect(await eventsOf(await calendarFeed(author))).toMatchObject([
      { title: 'Wait', status: 'TENTATIVE', start: post.review_scheduled_at },
    ])
    const others = await calendarFeed(author, { shows_unapproved: false })
    expect(await eventsOf(others)).toEqual([])
    const feed = await calendarFeed(author)
    expectStatus(await author.delete(`${POSTS}/${post.id}`), 204)
    expect(await eventsOf(feed)).toMatchObject([{ title: 'Wait', status: 'CANCELLED' }])
    expect(await eventsOf(others)).toEqual([])
  })

  test('without texts tells only accounts and times', async () => {
    const { owner, account } = await planner()
    await scheduled(owner, DAY, { content: 'Secret launch', account_ids: [account] })
    const feed = await calendarFeed(owner, { shows_text: false })
    const { body } = await t.anyone.get(pathOf(feed.url))
    expect(String(body)).not.toContain('Secret')
    const { name, network } = (await owner.get(`/api/v1/accounts/${account}`)).body
    expect(await titlesOf(feed)).toEqual([`${name} (${network})`])
  })

  test('gives the same tag until a post changes, and 304 for it', async () => {
    const { owner, account } = await planner()
    const post = await scheduled(owner, DAY, { account_ids: [account] })
    const { id, url } = await calendarFeed(owner)
    const first = expectStatus(await t.anyone.get(pathOf(url)), 200)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, max-age=900')
    await t.advance(HOUR)
    const again = await t.anyone.get(pathOf(url), { 'if-none-match': etag })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
    const [feed] = (await owner.get(FEEDS)).body.data
    expect(feed).toMatchObject({ id, last_read_at: t.clock.now().toISOString() })
    expectStatus(await owner.patch(`${POSTS}/${post.id}`, { content: 'Changed' }), 200)
    expectStatus(await t.anyone.get(pathOf(url), { 'if-none-match': etag }), 200)
  })

  test('gives one response for an unknown feed, a wrong key and a deleted feed', async () => {
    const { owner } = await planner()
    const stranger = await withWorkspace(t)
    const [feed, other] = [await calendarFeed(owner), await calendarFeed(stranger)]
    const path = pathOf(feed.url)
    const expectGone = async (path: string) => expectProblem(await t.anyone.get(path), 404, 'not_found')
    await expectGone(path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
    await expectGone(path.replace(feed.id, other.id))
    expectProblem(await stranger.delete(`${FEEDS}/${feed.id}`), 404, 'not_found')
    const admin = await memberOf(t, owner.workspace_id, 'admin')
    expect((await admin.get(FEEDS)).body.data).toEqual([])
    expectProblem(await admin.delete(`${FEEDS}/${feed.id}`), 404, 'not_found')
    expectStatus(await t.anyone.get(path), 200)
    expectStatus(await owner.delete(`${FEEDS}/${feed.id}`), 204)
    await expectGone(path)
  })

  test('ends when its member leaves, and stays ended when the member comes back', async () => {
    const { owner } = await planner()
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const feed = await calendarFeed(viewer)
    expectStatus(await t.anyone.get(pathOf(feed.url)), 200)
    expectStatus(await owner.delete(`/api/v1/workspace/members/${viewer.id}`), 204)
    expectProblem(await t.anyone.get(pathOf(feed.url)), 404, 'not_found')
    await t.deps.db
      .insertInto('workspace_member')
      .values({ workspace_id: owner.workspace_id, user_id: viewer.id, role: 'viewer' })
      .execute()
    expectProblem(await t.anyone.get(pathOf(feed.url)), 404, 'not_found')
  })

  test('ends while its member is banned', async () => {
    const { owner } = await planner()
    const admin = await signedIn(t, { instanceAdmin: true })
    const { url } = await calendarFeed(owner)
    expectStatus(await admin.post(`/api/v1/admin/users/${owner.id}/ban`), 200)
    expectProblem(await t.anyone.get(pathOf(url)), 404, 'not_found')
    expectStatus(await admin.post(`/api/v1/admin/users/${owner.id}/unban`), 200)
    expectStatus(await t.anyone.get(pathOf(url)), 200)
  })

  test('429 beyond 60 reads an hour', async () => {
    const limited = await testApp({ RATE_LIMIT_AUTH: '10' })
    const owner: WorkspaceOwner = await withWorkspace(limited)
    const { url } = await calendarFeed(owner)
    const path = url.replace(limited.deps.baseUrl, '')
    for (let read = 0; read < 60; read++) expectStatus(await limited.anyone.get(path), 200)
    const refused = await limited.anyone.get(path)
    expectProblem(refused, 429, 'too_many_requests')
    await limited.advance(HOUR)
    expectStatus(await limited.anyone.get(path), 200)
  })
})
