import { afterAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner } from '../../../../test/factories.ts'
import { modelAt, providerServer } from '../../../../test/stand-ins/ai.ts'
import { mastodonServer } from '../../../../test/stand-ins/mastodon.ts'
import { postNumbers } from '../../../../test/stand-ins/numbers.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { findDuePostMetrics } from '../../posts/metrics/read-metrics.ts'
import { agentOf, draftText, onlyOwner, runAtNextTime } from '../runs/runs.fixture.ts'
import { readPlan } from './workspace-posts.ts'

const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })
const [openai, mastodon] = await Promise.all([providerServer('openai'), mastodonServer()])
await modelAt(admin, 'openai', 'chat', openai)
afterAll(async () => {
  await t.close()
  openai.close()
  mastodon.close()
})

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await onlyOwner(t, openai)
})

const brand = {
  ...{ about: 'A bakery in Ankara.', audience: null, voice: 'Warm.', use_words: [], avoid_words: ['cheap'] },
  ...{ never_mention: ['Other Bakery'], links: ['https://bakery.example/menu'], hashtags: [], languages: ['de'] },
  liked_posts: ['Fresh simit from seven. See you soon, neighbors!'],
}
const save = () => owner.put('/api/v1/workspace/brand', brand)

const dayIn = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** The messages of a call to the model. */
const asked = (call = 0) => {
  const messages = openai.calls[call]?.body.messages as { content: string }[]
  return messages.map(({ content }) => content).join('\n')
}

test('an agent is given the brand, the plan of the week and the posts that readers liked', async () => {
  expectStatus(await save(), 200)
  expectStatus(await owner.patch('/api/v1/workspace', { holiday_country: 'none' }), 200)
  const fields = { network: 'mastodon', server: mastodon.url, access_token: mastodon.addAccount().token }
  const account_ids = [expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id]
  const post = async (more: object) => expectStatus(await owner.post('/api/v1/posts', { account_ids, ...more }), 201)
  await post({ content: 'Everybody liked this', publish_now: true })
  await t.runJobs()
  t.advance(3_600_000)
  await findDuePostMetrics(t.deps)
  await t.runJobs()
  const [tomorrow, dayAfter] = [dayIn(1), dayIn(2)]
  await post({ content: 'Winter menu', scheduled_at: `${tomorrow}T18:00:00Z` })
  expectStatus(await owner.post('/api/v1/calendar-notes', { day: dayAfter, text: 'Closed all day' }), 201)
  openai.reset()
  openai.script.reply = () => draftText()
  await runAtNextTime(t, await agentOf(t, owner, { posts_per_run: 1 }))
  expect(asked()).toContain('"about":"A bakery in Ankara."')
  expect(asked()).toContain('Write in this language unless the setup names another: de')
  const plan = [
    { at: `${tomorrow}T21:00`, post: 'Winter menu' },
    { at: dayAfter, note: 'Closed all day' },
  ]
  expect(asked()).toContain(`<plan>${JSON.stringify(plan)}</plan>`)
  const { likes, comments, shares } = postNumbers
  const results = [{ post: 'Everybody liked this', likes, comments, shares, views: 0 }]
  expect(asked()).toContain(`<results>${JSON.stringify(results)}</results>`)
})

test.each([
  ['of the country of the time zone', null, 'tr-TR', [{ at: '2033-10-29', holiday: 'Cumhuriyet Bayramı' }]],
  [
    'of the chosen country',
    'AT',
    'de',
    [
      { at: '2033-10-26', holiday: 'National Holiday' },
      { at: '2033-11-01', holiday: "All Saints' Day" },
    ],
  ],
  ['of none', 'none', 'en', []],
])('an agent is given the public holidays of its next seven days, %s', async (_, holiday_country, language, plan) => {
  expectStatus(await owner.patch('/api/v1/workspace', { holiday_country }), 200)
  const { workspace_id } = owner
  const now = new Date('2033-10-24T22:00:00Z')
  const read = () =>
    inTransaction(t.deps.db, (tx) => readPlan(tx, { workspace_id, timezone: 'Europe/Istanbul', now, language }))
  expect(await read()).toEqual(plan)
})

test.each([
  ['a word to avoid', 'Cheap bread every day', false],
  ['a word in other forms of its letters', 'Very ｃｈｅ\u200dａｐ bread', false],
  ['a word within a mention', 'Very che@[ap](urn:li:organization:1) bread', false],
  ['a name never to mention', 'Better than Other Bakery', false],
  ['a post that is an example', 'Fresh simit from seven. See you soon, neighbors', false],
  ['a link of the brand', 'See the menu at https://bakery.example/menu', true],
  ['another link to its site', 'See the menu at https://bakery.example/today', false],
])('a text with %s becomes a post: %s → %s', async (_, content, isPost) => {
  expectStatus(await save(), 200)
  openai.script.reply = () => draftText({ content })
  expect(await runAtNextTime(t, await agentOf(t, owner, { posts_per_run: 1 }))).toMatchObject({ made: isPost ? 1 : 0 })
})
