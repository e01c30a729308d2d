import { afterAll, expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { playground } from '../../networks/playground/index.ts'
import { advance, eventsOf, type Published, publishNow, read, SECOND, withBluesky } from './publishing.fixture.ts'
import { publishTarget } from './publishing.ts'

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

test('every step of publishing changes updated_at, so that updated_since finds the post', async () => {
  const { owner, account } = await withBluesky(t, bluesky)
  const playground = await playgroundAccount(owner)
  bluesky.failNext({ kind: 'response', status: 429 }, { kind: 'hang_up', arrives: true })
  const post = await publishNow(owner, { account_ids: [account, playground] })
  const changed = async () => {
    const since = encodeURIComponent(t.clock.now().toISOString())
    const { body } = expectStatus(await owner.get(`/api/v1/posts?updated_since=${since}`), 200)
    return body.data.map(({ targets }: Published) => targets.map(({ status }) => status))
  }
  t.advance(SECOND)
  expect(await changed()).toEqual([])
  // Delays the Playground's job, so that one target ends while another is open.
  const [, onPlayground] = post.targets
  await publishTarget(t.deps, { target_id: String(onPlayground?.id) })
  expect(await changed()).toEqual([['pending', 'published']])
  t.advance(SECOND)
  expect(await changed()).toEqual([])
  await t.runJobs()
  expect(await changed()).toEqual([['pending', 'published']])
  await advance(t, 15 * SECOND)
  expect(await changed()).toEqual([['unconfirmed', 'published']])
  await advance(t, 15 * SECOND)
  expect(await changed()).toEqual([['published', 'published']])
  expect((await read(owner, post)).status).toBe('published')
})

test('the event of the largest post is sent, however long the ids and URLs of the networks are', async () => {
  const owner = await withWorkspace(t)
  const accounts = await Promise.all(Array.from({ length: 50 }, () => playgroundAccount(owner)))
  const post = (length: number) => ({
    content: 'x',
    publish_now: true,
    targets: accounts.map((account_id) => ({ account_id, content: 'x'.repeat(length) })),
  })
  const small = await publishNow(owner, post(1))
  await t.runJobs()
  const length = Math.floor((172_000 - JSON.stringify(small).length) / accounts.length)
  const fitting = { external_id: 'i'.repeat(500), url: `https://x.test/${'u'.repeat(485)}` }
  const tooLong = { external_id: 'i'.repeat(1000), url: `https://x.test/${'u'.repeat(1985)}` }
  const publish = vi.spyOn(playground, 'publish')
  try {
    for (const [given, kept] of [
      [fitting, fitting],
      [tooLong, { external_id: null, url: null }],
    ] as const) {
      publish.mockResolvedValue(given)
      const { id } = await publishNow(owner, post(length))
      await t.runJobs()
      const { status, targets } = await read(owner, { id })
      expect(status).toBe('published')
      expect(targets.map(({ external_id, url }) => ({ external_id, url }))).toEqual(Array(50).fill(kept))
      const events = (await eventsOf(t, owner)).filter(
        ({ type, data }) => type === 'post.published' && data.post.id === id,
      )
      expect(events).toHaveLength(1)
    }
  } finally {
    publish.mockRestore()
  }
})
