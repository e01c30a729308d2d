import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { feedSite, rssOf } from '../../../../test/feed-site.ts'
import { generationApp } from '../../../../test/generations.ts'
import { sourceOf } from '../sources/sources.fixture.ts'
import { agentOf, draftText, onlyOwner } from './runs.fixture.ts'

const { t, openai, close } = await generationApp()
afterAll(close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const KEY = 'sk-abcdefghijklmnopqrstuvwxyz'

/** A run that was started by hand, to its end. */
async function run(id: string) {
  const { body } = expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
  await t.runJobs()
  return () => owner.get(`/api/v1/agents/${id}/runs/${body.id}`).then((response) => expectStatus(response, 200).body)
}

test('a run shows what was asked: instructions, brand, plan, sources and earlier topics, without marks and keys', async () => {
  const brand = { about: `A bakery. ${KEY}`, audience: null, voice: null, use_words: [], avoid_words: [] }
  const lists = { never_mention: [], links: [], hashtags: [], languages: ['de'], liked_posts: [] }
  expectStatus(await owner.put('/api/v1/workspace/brand', { ...brand, ...lists }), 200)
  expectStatus(await owner.patch('/api/v1/workspace', { holiday_country: 'none' }), 200)
  const day = new Date(t.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
  expectStatus(await owner.post('/api/v1/calendar-notes', { day, text: 'Closed all day' }), 201)
  const site = await feedSite(rssOf([{ id: '1', title: 'Sesame', html: `<p>${'From Antalya. '.repeat(100)}</p>` }]))
  const id = await agentOf(t, owner, { posts_per_run: 1, persona: `Warm ${KEY}` })
  await sourceOf(t, owner, id, { url: site.url, is_trusted: true })
  openai.script.reply = () => draftText({ source_ids: ['s1'] })
  const read = await run(id)
  const { setup, items } = await read()
  expect(setup).toEqual({ role: 'Baker', persona: 'Warm •••', voice: 'Short', system_prompt: 'Write about bread.' })
  expect(items).toMatchObject([
    {
      content: 'Fresh bread every morning.',
      source_ids: ['s1'],
      asked: {
        language: 'de',
        allowed_hosts: ['brand.com'],
        brand: { about: 'A bakery. •••', languages: ['de'] },
        plan: [{ at: day, note: 'Closed all day' }],
        recent_topics: [],
        sources: [{ id: 's1', title: 'Sesame', is_trusted: true }],
        previous: null,
      },
    },
  ])
  expect(items[0].asked.sources[0].text.length).toBeLessThanOrEqual(500)
  const [call] = openai.calls
  const marks = JSON.stringify(call?.body).match(/ref-[0-9a-f]{32}|mark=\\+"[0-9a-f-]{36}/g) ?? []
  expect(marks.length).toBeGreaterThan(0)
  const shown = JSON.stringify({ setup, items })
  for (const mark of marks) expect(shown).not.toContain(mark.replace(/^mark=\\+"/, ''))
})

test('a run of a node of the former version shows its reasons of rejections as rules', async () => {
  const id = await agentOf(t, owner, { posts_per_run: 1 })
  openai.script.reply = () => draftText()
  const read = await run(id)
  await sql`update agent_item set asked = asked - 'rules' || '{"rejections": ["Too loud"]}'
    where run_id in (select id from agent_run where agent_id = ${id})`.execute(t.deps.db)
  expect((await read()).items).toMatchObject([{ asked: { rules: ['Too loud'] } }])
})

test('keys of many kinds are hidden in what was asked, also where a text is cut', async () => {
  const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq\n'.repeat(8)}-----END PRIVATE KEY-----`
  const about = [
    `Before ${pem} after`,
    'xoxb-123456789012-abcdefgh',
    `AIza${'Sy1'.repeat(12)}`,
    'https://cafe.example/menu?day=1&api_key=q7w8e9#top',
    'postgres://baker:rye-bread@db.example/menu',
    'baker:rye4bread@db.example',
    'Open 10:00-12:00, password: see the door, hello@cafe.example',
  ]
  const brand = { about: about.join('\n'), audience: null, voice: null, use_words: [], avoid_words: [] }
  const lists = { never_mention: [], links: [], hashtags: [], languages: [], liked_posts: [] }
  expectStatus(await owner.put('/api/v1/workspace/brand', { ...brand, ...lists }), 200)
  const words = 'From Antalya. '.repeat(35)
  const site = await feedSite(rssOf([{ id: '1', title: 'Sesame', html: `<p>${words} ${KEY}</p><p>${pem}</p>` }]))
  const id = await agentOf(t, owner, { posts_per_run: 1, system_prompt: pem.slice(0, 80) })
  await sourceOf(t, owner, id, { url: site.url, is_trusted: true })
  openai.script.reply = () => draftText({ source_ids: ['s1'] })
  const { setup, items } = await (await run(id))()
  expect(setup.system_prompt).toBe('•••')
  expect(items[0].asked.brand.about.split('\n')).toEqual([
    'Before ••• after',
    '•••',
    '•••',
    'https://cafe.example/menu?day=1&api_key=•••#top',
    'postgres://•••@db.example/menu',
    '•••@db.example',
    'Open 10:00-12:00, password: see the door, hello@cafe.example',
  ])
  expect(items[0].asked.sources[0].text).toBe(`${words}•••\n•••`)
})

test('a text that was written again shows the one before, and why it was refused', async () => {
  const replies = [draftText({ content: 'Visit evil.com' }), draftText()]
  openai.script.reply = () => replies.shift() ?? ''
  const read = await run(await agentOf(t, owner, { posts_per_run: 1 }))
  expect((await read()).items).toMatchObject([
    {
      content: 'Fresh bread every morning.',
      attempts: 2,
      asked: { previous: { content: 'Visit evil.com', problems: ['Links to evil.com are not allowed.'] } },
    },
  ])
})

test('a text whose model failed shows what was asked', async () => {
  openai.failAlways({ kind: 'status', status: 401 })
  const read = await run(await agentOf(t, owner, { posts_per_run: 1 }))
  expect((await read()).items).toMatchObject([{ status: 'blocked', content: null, asked: { language: 'tr' } }])
})

test('a run shows what people changed until its post was published, and that it was deleted', async () => {
  openai.script.reply = () => draftText()
  const read = await run(await agentOf(t, owner, { posts_per_run: 1, autonomy_level: 'approve' }))
  const written = 'Fresh bread every morning.'
  const [item] = (await read()).items
  const same = { account_id: null, network: null, written, current: written }
  expect(item.post).toMatchObject({ status: 'draft', review: 'pending', published_at: null, texts: [same] })
  const current = 'Fresh bread every day.'
  expectStatus(await owner.patch(`/api/v1/posts/${item.post_id}`, { content: current }), 200)
  const planned = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
  expectStatus(await owner.post(`/api/v1/posts/${item.post_id}/approve`, { scheduled_at: planned }), 200)
  t.advance(3_601_000)
  await t.runJobs()
  const [published] = (await read()).items
  expect(published).toMatchObject({
    status: 'approved',
    content: written,
    post: { status: 'published', review: 'approved', is_deleted: false, texts: [{ ...same, current }] },
  })
  expect(published.post.published_at).toMatch(/Z$/)
  expectStatus(await owner.delete(`/api/v1/posts/${item.post_id}`), 204)
  expect((await read()).items).toMatchObject([{ post: { is_deleted: true, texts: [] } }])
})

test('an account with a text of its own is compared with the variant of its network', async () => {
  const id = await agentOf(t, owner, { posts_per_run: 1 })
  const [{ id: account_id, network }] = expectStatus(await owner.get('/api/v1/accounts'), 200).body.data
  openai.script.reply = () => draftText({ variants: [{ network, content: 'Shorter.' }] })
  const read = await run(id)
  const [item] = (await read()).items
  const own = { account_id, network, written: 'Shorter.', current: 'Shorter.' }
  expect(item.post.texts[1]).toEqual(own)
  const targets = [{ account_id, content: 'Shortest.' }]
  expectStatus(await owner.patch(`/api/v1/posts/${item.post_id}`, { targets }), 200)
  expect((await read()).items[0].post.texts[1]).toEqual({ ...own, current: 'Shortest.' })
})
