import { afterAll, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withToken, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import { findDuePostMetrics } from './read-metrics.ts'

const t = await testApp()
const server = await mastodonServer()
afterAll(() => server.close())

type Part = { days: string; part: string; posts: number; better: { from_percent: number; to_percent: number } | null }

test('weekday mornings that did better are named from numbers that were read two days later, and nothing before 60 posts', async () => {
  const owner = await withWorkspace(t)
  expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'Asia/Tokyo' }), 200)
  const { token } = server.addAccount()
  const connected = { network: 'mastodon', server: server.url, access_token: token }
  const account = expectStatus(await owner.post('/api/v1/accounts', connected), 201).body.id
  const writer = await withToken(t, owner, ['posts:write', 'accounts:read'])
  const best = async () => expectStatus(await writer.get(`/api/v1/public/accounts/${account}/best-times`), 200).body

  /** 09:00 in Tokyo. */
  const [morning, evening] = [0, 11 * HOUR]
  const begin = Math.ceil(t.clock.now().getTime() / DAY) * DAY
  const publishAt = async (day: number, time: number) => {
    t.advance(begin + day * DAY + time - t.clock.now().getTime())
    const content = `${day} ${time}`
    const body = { content, account_ids: [account], publish_now: true }
    expectStatus(await writer.post('/api/v1/public/posts', body), 201)
    await t.runJobs()
    const isWeekend = [0, 6].includes(new Date(begin + day * DAY).getUTCDay())
    const post = [...server.posts.values()].find(({ text }) => text === content)
    if (post) post.likes = (time === morning && !isWeekend ? 300 : 20) + ((day * 7) % 11)
  }
  const readDue = async () => {
    await findDuePostMetrics(t.deps)
    await t.runJobs()
  }
  for (let day = 0; day < 32; day++) {
    await publishAt(day, morning)
    await readDue()
    await publishAt(day, evening)
    if (day === 25) expect(await best()).toMatchObject({ state: 'not_enough', posts: 49, min_posts: 60 })
  }
  t.advance(DAY)
  await readDue()
  t.advance(DAY)
  await readDue()

  const found = await best()
  expect(found).toMatchObject({ account_id: account, state: 'found', timezone: 'Asia/Tokyo', posts: 64 })
  expect(found.from).toBe(new Date(begin).toISOString())
  expect(found.parts.length).toBe(8)
  const [named, ...others] = found.parts.filter(({ better }: Part) => better)
  expect(others).toEqual([])
  expect(named).toMatchObject({ days: 'weekday', part: 'morning' })
  expect(named.better.from_percent).toBeGreaterThan(20)
  expect(named.better.to_percent).toBeGreaterThan(named.better.from_percent)
  expect(found.parts.reduce((sum: number, { posts }: Part) => sum + posts, 0)).toBe(64)

  // Only the last 180 days count.
  t.advance(170 * DAY)
  expect((await best()).posts).toBeLessThan(60)
})

test('a network without reactions is not supported, an account without posts has not enough', async () => {
  const owner = await withWorkspace(t)
  const { token } = server.addAccount()
  const connected = { network: 'mastodon', server: server.url, access_token: token }
  const account = expectStatus(await owner.post('/api/v1/accounts', connected), 201).body.id
  const path = (id: string) => `/api/v1/accounts/${id}/best-times`
  expect(expectStatus(await owner.get(path(account)), 200).body).toMatchObject({
    state: 'not_enough',
    posts: 0,
    from: null,
  })
  const playground = expectStatus(await owner.get(path(await playgroundAccount(owner))), 200).body
  expect(playground).toMatchObject({ state: 'unsupported', posts: 0 })
  expectProblem(await (await withWorkspace(t)).get(path(account)), 404, 'not_found')
})
