import { afterAll, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, signedIn } from '../factories.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, ownerIn, pagePath } from './pages.ts'

const t = await testApp({}, { live: true })
const openai = await providerServer('openai')
await modelAt(await signedIn(t, { instanceAdmin: true }), 'openai', 'chat', openai)
afterAll(() => openai.close())

const PATH = '/api/v1/workspace/brand'

test('a brand is filled in from published posts, corrected and saved', async () => {
  const owner = await ownerIn(t, 'UTC')
  const account_ids = [await playgroundAccount(owner)]
  const post = { content: 'Fresh simit! https://bakery.example/menu', account_ids, publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
  await until(async () =>
    expect(expectStatus(await owner.get(`/api/v1/posts/${body.id}`), 200).body.status).toBe('published'),
  )
  openai.script.reply = () =>
    JSON.stringify({
      ...{ about: 'A bakery.', audience: 'Neighbors.', voice: 'Warm.', use_words: ['fresh'], hashtags: ['simit'] },
      ...{ languages: ['en'], best_posts: [1] },
    })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/brand'))
  const audience = page.getByRole('textbox', { name: 'Audience' })
  await audience.fill('Commuters.')
  await page.getByRole('button', { name: 'Fill in from our posts' }).press('Enter')
  await until(async () =>
    expect(await page.getByRole('textbox', { name: 'What you do' }).inputValue()).toBe('A bakery.'),
  )
  // A field that the person filled in stays.
  expect(await audience.inputValue()).toBe('Commuters.')
  expect(await page.getByRole('textbox', { name: 'Example 1' }).inputValue()).toBe(post.content)
  await page.getByRole('combobox', { name: 'Never mention' }).fill('Other Bakery')
  await expectPageAccessible(page, 'brand')
  await page.getByRole('button', { name: 'Add an example' }).press('Enter')
  await page.locator('textarea[aria-label="Example 2"]:focus').waitFor()
  await page.getByRole('button', { name: 'Remove example 2' }).press('Enter')
  await page.getByRole('button', { name: 'Save the brand' }).press('Enter')
  await page.getByText('The brand is saved.').waitFor()
  expect(expectStatus(await owner.get(PATH), 200).body).toMatchObject({
    ...{
      about: 'A bakery.',
      audience: 'Commuters.',
      never_mention: ['Other Bakery'],
    },
    ...{ liked_posts: [post.content], version: 1 },
  })
})

test('viewers read the brand on a phone and change nothing', async () => {
  const owner = await ownerIn(t, 'UTC')
  const brand = {
    ...{ about: 'A bakery.', audience: null, voice: null, use_words: [], avoid_words: [], never_mention: [] },
    ...{ links: [], hashtags: [], languages: [], liked_posts: [] },
  }
  expectStatus(await owner.put(PATH, brand), 200)
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const page = await newPage(t, { as: viewer, ...PHONE })
  await page.goto(pagePath(owner, '/brand'))
  await page.getByText('Only editors, admins and owners can change the brand.').waitFor()
  expect(await page.getByRole('textbox', { name: 'What you do' }).inputValue()).toBe('A bakery.')
  expect(await page.getByRole('button', { name: 'Save the brand' }).count()).toBe(0)
  await page.getByText('There are no examples yet.').waitFor()
})

test('a brand that somebody else saved first is loaded, with one’s own change on top', async () => {
  const owner = await ownerIn(t, 'UTC')
  const page = await newPage(t, { as: owner, allow: ['412 PUT /api/v1/workspace/brand'] })
  await page.goto(pagePath(owner, '/brand'))
  await page.getByRole('textbox', { name: 'Voice' }).fill('Warm.')
  const brand = {
    ...{ about: 'A bakery.', audience: null, voice: null, use_words: [], avoid_words: [], never_mention: [] },
    ...{ links: [], hashtags: [], languages: [], liked_posts: [] },
  }
  expectStatus(await owner.put(PATH, brand), 200)
  await page.getByRole('button', { name: 'Save the brand' }).press('Enter')
  await page.getByText('Somebody else has changed the brand').waitFor()
  await page.getByRole('alert').getByRole('button').press('Enter')
  await until(async () =>
    expect(await page.getByRole('textbox', { name: 'What you do' }).inputValue()).toBe('A bakery.'),
  )
  await page.getByRole('button', { name: 'Save the brand' }).press('Enter')
  await page.getByText('The brand is saved.').waitFor()
  expect(expectStatus(await owner.get(PATH), 200).body).toMatchObject({
    about: 'A bakery.',
    voice: 'Warm.',
    version: 2,
  })
})
