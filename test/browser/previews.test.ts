import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner } from '../factories.ts'
import { testImage, uploaded } from '../media.ts'
import { connectByOAuth, setUpApp } from '../network-accounts.ts'
import { instagramServer } from '../stand-ins/instagram.ts'
import { linkedinServer } from '../stand-ins/linkedin.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import { telegramServer } from '../stand-ins/telegram.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, newPost, ownerIn, pagePath } from './pages.ts'

const [telegram, mastodon, linkedin, instagram] = await Promise.all([
  telegramServer(),
  mastodonServer(),
  linkedinServer(),
  instagramServer(),
])
afterAll(() => Promise.all([telegram, mastodon, linkedin, instagram].map((server) => server.close())))
const NETWORK_ORIGINS = Object.entries({ telegram, linkedin, instagram }).map(([id, { url }]) => `${id}=${url}`)
const t = await testApp({ NETWORK_ORIGINS: NETWORK_ORIGINS.join(',') }, { live: true })

let owner: WorkspaceOwner
let images: string[]
/** Accounts by their networks, named after them. */
let accounts: Record<string, string>
beforeAll(async () => {
  owner = await ownerIn(t, 'UTC')
  const connect = async (fields: object) => expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id
  const signIn = async (network: string, server: typeof linkedin | typeof instagram) => {
    await setUpApp(t, network, server.oauth)
    server.oauth.signInAs('ada')
    server.oauth.client.redirect_uri = `${t.url}/api/v1/accounts/oauth/callback`
    return (await connectByOAuth(owner, network)).account_ids[0]
  }
  accounts = {
    telegram: await connect({ network: 'telegram', token: telegram.token, chat: String(telegram.addChat({}).id) }),
    mastodon: await connect({
      network: 'mastodon',
      server: mastodon.url,
      access_token: mastodon.addAccount().token,
    }),
    linkedin: await signIn('linkedin', linkedin),
    instagram: await signIn('instagram', instagram),
  }
  for (const [name, id] of Object.entries(accounts))
    expectStatus(await owner.patch(`/api/v1/accounts/${id}`, { name }), 200)
  images = []
  for (let count = 0; count < 6; count++) {
    const bytes = await testImage(400, 300)
    images.push((await uploaded(owner, { bytes, fields: [['alt', `Image ${count + 1}`]] })).id)
  }
})

/** Opens the form of a draft, with these settings by network. Returns the preview of a network. */
async function openDraft(post: object, options: Record<string, object> = {}) {
  const targets = Object.entries(accounts).map(([name, account_id]) => ({ account_id, options: options[name] ?? {} }))
  const { id } = await newPost(owner, { ...post, targets })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${id}/edit`))
  const on = (name: string) => page.getByRole('article', { name: new RegExp(`^${name}, `) })
  await on('telegram').waitFor()
  return { page, on }
}

const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

test('a text ends where readers have to open the rest, and a content warning stands in its place', async () => {
  const content = `${'Fresh simit '.repeat(25)}until evening`
  const { page, on } = await openDraft({ content }, { mastodon: { spoiler_text: 'Food' } })
  const linked = on('linkedin')
  expect(await linked.getByText('until evening').count()).toBe(0)
  await linked.getByRole('button', { name: '… more' }).click()
  await linked.getByText('until evening').waitFor()
  await on('telegram').getByText('until evening').waitFor()
  await on('mastodon').getByText('Food').waitFor()
  expect(await on('mastodon').getByText('until evening').count()).toBe(0)
  await expectPageAccessible(page, 'previews of a text')
  await on('mastodon').getByRole('button', { name: 'Show' }).click()
  await on('mastodon').getByText('until evening').waitFor()
})

test('files stand where each network puts them, as many as it shows', async () => {
  const { page, on } = await openDraft(
    { content: 'Fresh simit', media_ids: images, thread: [{ content: 'And tea', media_ids: [] }] },
    { instagram: { type: 'story' } },
  )
  const shownOn = (name: string) =>
    on(name)
      .getByRole('img', { name: /^Image \d$/ })
      .count()
  await on('linkedin').getByText('+1').waitFor()
  await on('mastodon').getByText('+2').waitFor()
  expect(await Promise.all(['linkedin', 'mastodon', 'telegram', 'instagram'].map(shownOn))).toEqual([5, 4, 6, 1])

  const [image, caption] = [
    on('telegram').getByRole('img', { name: 'Image 6' }),
    on('telegram').getByText('Fresh simit'),
  ]
  expect((await boxOf(caption)).y).toBeGreaterThan((await boxOf(image)).y)
  const [first, text] = [on('linkedin').getByRole('img', { name: 'Image 1' }), on('linkedin').getByText('Fresh simit')]
  expect((await boxOf(text)).y).toBeLessThan((await boxOf(first)).y)

  const story = await boxOf(on('instagram').getByRole('region', { name: 'Story' }))
  expect(story.height / story.width).toBeCloseTo(16 / 9, 1)
  // Only some networks have threads.
  expect(await on('mastodon').getByText('And tea').count()).toBe(1)
  expect(await on('linkedin').getByText('And tea').count()).toBe(0)
  await expectPageAccessible(page, 'previews of files')
})
