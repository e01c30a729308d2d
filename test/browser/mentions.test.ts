import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner } from '../factories.ts'
import { connectByOAuth, setUpApp } from '../network-accounts.ts'
import { linkedinServer } from '../stand-ins/linkedin.ts'
import { mastodonServer } from '../stand-ins/mastodon.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, newPost, ownerIn, pagePath, waitUntilGone } from './pages.ts'

const [mastodon, linkedin] = await Promise.all([
  mastodonServer(),
  linkedinServer({ pages: { ada: [{ id: '501', name: 'Bakery', role: 'ADMINISTRATOR' }] } }),
])
afterAll(() => Promise.all([mastodon, linkedin].map((server) => server.close())))
const t = await testApp({ NETWORK_ORIGINS: `linkedin=${linkedin.url}` }, { live: true })

let owner: WorkspaceOwner
let accounts: { mastodon: string; linkedin: string }
beforeAll(async () => {
  owner = await ownerIn(t, 'UTC')
  await setUpApp(t, 'linkedin_page', linkedin.oauth)
  linkedin.oauth.client.redirect_uri = `${t.url}/api/v1/accounts/oauth/callback`
  const server = { network: 'mastodon', server: mastodon.url, access_token: mastodon.addAccount().token }
  accounts = {
    mastodon: expectStatus(await owner.post('/api/v1/accounts', server), 201).body.id,
    linkedin: String((await connectByOAuth(owner, 'linkedin_page')).account_ids[0]),
  }
})

async function openDraft(content: string, ...account_ids: string[]) {
  const { id } = await newPost(owner, { content, targets: account_ids.map((account_id) => ({ account_id })) })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${id}/edit`))
  const field = page.getByRole('textbox', { name: 'Text', exact: true })
  await field.press('Control+End')
  const stored = async () => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body.content
  return { page, field, stored }
}

const chosen = (page: Page) => page.locator('[role="option"][data-combobox-selected]')

test('an account is suggested by the first letters of its name, and written with the keyboard', async () => {
  const { page, field, stored } = await openDraft('Thanks', accounts.mastodon)
  await page.keyboard.type(' @')
  await page.getByText('Write the first letters of a name.').waitFor()
  await page.keyboard.type('bak')
  await page.getByRole('option', { name: 'bakery@elsewhere.example' }).waitFor()
  await chosen(page).waitFor()
  await expectPageAccessible(page, 'suggestions of mentions')
  await page.keyboard.press('Enter')
  await until(async () => expect(await field.inputValue()).toBe('Thanks @bakery@elsewhere.example '))
  await page.keyboard.type('@nobody')
  await page.getByText('Nothing found by this name.').waitFor()
  await page.keyboard.press('Escape')
  await waitUntilGone(page.getByText('Nothing found by this name.'))
  await until(async () => expect(await stored()).toBe('Thanks @bakery@elsewhere.example @nobody'))
})

test('a network that finds whole names is asked once the user wants it', async () => {
  const { page, field, stored } = await openDraft('With', accounts.linkedin, accounts.mastodon)
  const asked = () => linkedin.calls.filter(({ path }) => path === '/rest/organizations').length
  const before = asked()
  await page.keyboard.type(' @simit-co')
  const lookUp = page.getByRole('option', { name: 'Look up @simit-co on LinkedIn' })
  await lookUp.waitFor()
  await waitUntilGone(page.getByText('Searching…'))
  expect([asked() - before, await chosen(page).count()]).toEqual([0, 0])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Simit & Co. (Ankara)' }).waitFor()
  await page.getByText('On your other networks, this name may belong to somebody else.').waitFor()
  await chosen(page).waitFor()
  await page.keyboard.press('Enter')
  await until(async () => expect(await field.inputValue()).toBe('With @Simit & Co. (Ankara) '))
  await page.keyboard.type('today')
  const mention = '@[Simit & Co. (Ankara)](urn:li:organization:2414183)'
  await until(async () => expect(await stored()).toBe(`With ${mention} today`))
  await page.getByRole('article').getByText('With Simit & Co. (Ankara) today').first().waitFor()
})

test('a mention with an id is shown by its name, and is plain text once the name is changed', async () => {
  const mention = '@[Bakery](urn:li:organization:501)'
  const { page, field, stored } = await openDraft(`Fresh at ${mention}`, accounts.linkedin)
  expect(await field.inputValue()).toBe('Fresh at @Bakery')
  await page.keyboard.type('!')
  await until(async () => expect(await stored()).toBe(`Fresh at ${mention}!`))
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await until(async () => expect(await stored()).toBe('Fresh at @Baker'))
  await page.keyboard.type('y')
  await until(async () => expect(await stored()).toBe('Fresh at @Bakery'))
})

test('two pages of one name stay two', async () => {
  const content = '@[Bakery](urn:li:organization:501) and @[Bakery](urn:li:organization:502)'
  const { page, field, stored } = await openDraft(content, accounts.linkedin)
  expect(await field.inputValue()).toBe('@Bakery and @Bakery')
  await page.keyboard.type('!')
  await until(async () => expect(await stored()).toBe(`${content}!`))
})

test('suggestions end where the caret leaves the name, and what follows stays', async () => {
  const { page, field, stored } = await openDraft('Hi  see you tomorrow', accounts.mastodon)
  await page.keyboard.press('Control+Home')
  for (let moved = 0; moved < 3; moved++) await page.keyboard.press('ArrowRight')
  await page.keyboard.type('@bak')
  const option = page.getByRole('option', { name: 'bakery@elsewhere.example' })
  await option.waitFor()
  await page.keyboard.press('Control+End')
  await waitUntilGone(option)
  expect(await field.inputValue()).toBe('Hi @bak see you tomorrow')
  await until(async () => expect(await stored()).toBe('Hi @bak see you tomorrow'))
})
