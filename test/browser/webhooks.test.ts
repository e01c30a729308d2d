import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, memberOf, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { webhookReceiver } from '../receiver.ts'
import { newPage, openBrowser, PHONE } from './browser.ts'
import { gone, main, passes, roomOf } from './rooms.ts'

let t: TestApp
let browser: Browser
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  await signedIn(t, { instanceAdmin: true })
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
})
beforeEach(async () => {
  receiver = await webhookReceiver()
  owner = await withWorkspace(t)
})
afterEach(() => receiver.close())

type Webhook = { id: string; url: string; events: string[]; description: string | null; header_names: string[] }

const here = () => ({ 'x-workspace-id': owner.workspace_id })
const dialog = (page: Page) => page.getByRole('dialog')
const shownSecret = (page: Page) => dialog(page).getByText(/^whsec_/)
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem', { name, exact: true })

async function newWebhook(body: object = {}): Promise<Webhook & { secret: string }> {
  const input = { url: receiver.url, events: ['*'], ...body }
  return expectStatus(await owner.post('/api/v1/webhooks', input), 201).body
}

const webhooksOf = async (person: Person): Promise<(Webhook & { active: boolean })[]> =>
  expectStatus(await person.get('/api/v1/webhooks', here()), 200).body.data

async function act(page: Page, name: string, wanted: string) {
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: wanted, exact: true }).click()
}

describe('a new webhook', () => {
  test('is described, listens to chosen events under chosen names, and leads to its page once its secret is kept', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await page.getByText('Nobody is told yet').waitFor()
    await main(page).getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel(/^Address/).fill(receiver.url)
    await page.getByLabel('Description').fill('Order system')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Header 1: Name').fill('X-Team')
    await page.getByLabel('Header 1: Value').fill('square')
    await page.getByLabel('Only some').check()
    await page.getByLabel('Search the events').fill('publish')
    await page.getByLabel('Search the events').press('Enter')
    expect(await page.getByRole('checkbox', { name: 'post.created' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'post.published' }).check()
    await page.getByRole('radio', { name: 'publish.success' }).check()
    await page.getByRole('region', { name: 'Sample: publish.success' }).getByText('"type": "publish.success"').waitFor()
    await page.getByLabel('Search the events').fill('')
    await page.getByRole('button', { name: 'Show a sample of account.disconnected' }).click()
    await page.getByRole('region', { name: 'Sample: account.disconnected' }).getByText('"account"').waitFor()
    await passes(page, 'form')
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await shownSecret(page).waitFor()
    const secret = await shownSecret(page).textContent()
    await passes(page, 'secret')
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.waitForTimeout(300)
    expect(await shownSecret(page).textContent()).toBe(secret)
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click()
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'Order system', level: 1 }).waitFor()
    expect(await page.getByText(/whsec_/).count()).toBe(0)
    expect(await webhooksOf(owner)).toMatchObject([
      { url: receiver.url, description: 'Order system', events: ['publish.success'], header_names: ['X-Team'] },
    ])
  })

  test('that cannot be says why at its fields, where keys go on', async () => {
    const page = await newPage(browser, t, { as: owner, allow: ['400 POST /api/v1/webhooks'] })
    await page.goto(roomOf(owner, '/webhooks/new'))
    await page.getByLabel(/^Address/).fill('ftp://example.com')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Header 1: Name').fill('Two words')
    await page.getByLabel('Header 1: Value').fill('x')
    await page.getByLabel('Only some').check()
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await page.getByText('Choose at least one event.').waitFor()
    await page.getByText('Letters, digits and hyphens only').waitFor()
    await page.getByRole('checkbox', { name: 'post.created' }).check()
    await page.getByLabel('Header 1: Name').fill('Host')
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    const address = page.getByLabel(/^Address/)
    await address.and(page.locator(':focus')).waitFor()
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    await passes(page, 'refused')
    await address.fill(receiver.url)
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await page.getByText('This header cannot be set here').waitFor()
    await page.getByLabel('Header 1: Name').and(page.locator(':focus')).waitFor()
  })

  test('whose answer got lost is not made twice, and its secret is had by a new one', async () => {
    const page = await newPage(browser, t, { as: owner, allow: ['net::ERR_FAILED'] })
    await page.goto(roomOf(owner, '/webhooks/new'))
    let tries = 0
    await page.route('**/api/v1/webhooks', async (route) => {
      if (route.request().method() !== 'POST' || tries++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByLabel(/^Address/).fill(receiver.url)
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await main(page).getByText('Meydan does not answer. Try again').waitFor()
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await dialog(page).getByText('The secret got lost on its way').waitFor()
    await passes(page, 'lost secret')
    await dialog(page).getByRole('button', { name: 'Make a new secret and show it' }).click()
    await shownSecret(page).waitFor()
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click()
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    expect(await webhooksOf(owner)).toHaveLength(1)
  })

  test('half written is not left without a question', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks/new'))
    await page.getByLabel('Description').fill('Half')
    await page.getByRole('link', { name: 'Posts', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('Half')
  })
})

describe('a webhook', () => {
  test('is edited: headers stay hidden until they are replaced, and nothing else changes', async () => {
    const { id } = await newWebhook({ description: 'Before', headers: { Authorization: 'Bearer secret' } })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await act(page, 'Before', 'Edit')
    await page.getByText('Authorization: hidden').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await page.getByLabel('Description').fill('After')
    await page.getByRole('button', { name: 'Replace the headers' }).click()
    await page.getByText('takes the place of the present header').waitFor()
    await page.getByLabel('Header 1: Name').fill('X-Key')
    await page.getByLabel('Header 1: Value').fill('new')
    await passes(page, 'edit')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The webhook is saved.').waitFor()
    await page.waitForURL(`**/webhooks/${id}`)
    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    expect(await webhooksOf(owner)).toMatchObject([
      { url: receiver.url, description: 'After', events: ['*'], header_names: ['X-Key'] },
    ])
  })

  test('that is to lead to another receiver takes its headers there only when they are entered anew', async () => {
    const { id } = await newWebhook({ description: 'Moves', url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'old' } })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, `/webhooks/${id}/edit`))
    await page.getByText('X-Key: hidden').waitFor()
    await page.getByLabel(/^Address/).fill('http://127.0.0.1:9/other')
    await page.getByLabel('Description').fill('Moved')
    await page.getByText('X-Key: hidden').waitFor()
    await page.getByLabel(/^Address/).fill(receiver.url)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('the present headers are not sent there').waitFor()
    expect(await page.getByLabel('Header 1: Name').inputValue()).toBe('X-Key')
    expect(await page.getByRole('button', { name: 'Keep the present ones' }).count()).toBe(0)
    await passes(page, 'another receiver')
    await page.getByRole('button', { name: 'Remove header 1' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The webhook is saved.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ url: receiver.url, description: 'Moved', header_names: [] }])
  })

  test('that somebody else changed meanwhile is not overwritten, and what was typed stays', async () => {
    const { id } = await newWebhook({ description: 'Before' })
    const page = await newPage(browser, t, { as: owner, allow: ['412 PATCH'] })
    await page.goto(roomOf(owner, `/webhooks/${id}/edit`))
    await page.getByLabel('Description').fill('Mine')
    expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { events: ['post.failed'] }), 200)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Changed elsewhere meanwhile').waitFor()
    await passes(page, 'conflict')
    await page.getByRole('button', { name: 'Load it as it is now' }).click()
    await page.getByText('1 chosen').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The webhook is saved.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ description: 'Mine', events: ['post.failed'] }])
  })

  test('is tested: what the receiver answered is shown, good or bad', async () => {
    await newWebhook({ description: 'Shop' })
    receiver.answerWith((response) => response.writeHead(200).end('{"got":"it"}'))
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await row(page, 'Shop').getByText('No event yet').waitFor()
    await act(page, 'Shop', 'Send a test')
    await dialog(page)
      .getByText(/The receiver answered 200 after \d+ ms/)
      .waitFor()
    await dialog(page).getByRole('region', { name: 'The answer' }).getByText('"got": "it"').waitFor()
    await passes(page, 'test')
    receiver.answerWith((response) => response.writeHead(500).end('out of beans'))
    await dialog(page).getByRole('button', { name: 'Send another' }).click()
    await dialog(page)
      .getByText(/The receiver answered 500/)
      .waitFor()
    await dialog(page).getByText('out of beans').waitFor()
    await dialog(page).getByText('An event would be tried again.').waitFor()
    await passes(page, 'refused test')
    expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test'])
  })

  test('gets a new secret, while the former one signs on for as long as was chosen', async () => {
    const { secret } = await newWebhook({ description: 'Shop' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await act(page, 'Shop', 'Rotate the secret')
    expect(await dialog(page).getByLabel('1 day').isChecked()).toBe(true)
    await dialog(page).getByLabel('Not at all: it ends at once').check()
    await dialog(page).getByText('signed with the new secret only').waitFor()
    await dialog(page).getByLabel('1 hour').check()
    await dialog(page).getByText('webhook-signature carries both').waitFor()
    await passes(page, 'rotate')
    await dialog(page).getByRole('button', { name: 'Rotate the secret' }).click()
    await shownSecret(page).waitFor()
    expect(await shownSecret(page).textContent()).not.toBe(secret)
    await dialog(page).getByText('the former secret signs as well').waitFor()
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click()
    await gone(dialog(page))
    await act(page, 'Shop', 'Send a test')
    await dialog(page)
      .getByText(/The receiver answered 200/)
      .waitFor()
    expect(receiver.received[0]?.headers['x-service-signature-next']).toBeDefined()
  })

  test('is disabled and enabled, which asks about what was held meanwhile and sends it when told to', async () => {
    const { id } = await newWebhook({ description: 'Shop' })
    await t.dispatch()
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await act(page, 'Shop', 'Disable')
    await dialog(page).getByText('Events are held for 30 days').waitFor()
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('The webhook is disabled.').waitFor()
    await row(page, 'Shop').getByText('Disabled by a member.').waitFor()
    await passes(page, 'disabled')
    expectStatus(await owner.post('/api/v1/posts', { content: 'Missed' }), 201)
    await act(page, 'Shop', 'Enable')
    await dialog(page).getByText('1 event is held for it.').waitFor()
    await passes(page, 'enable')
    await dialog(page).getByLabel('Send everything that is held or ran out of attempts').check()
    await dialog(page).getByRole('button', { name: 'Enable and send' }).click()
    await page.getByText('The webhook is enabled. 1 event is being sent.').waitFor()
    await receiver.until((received) => received.length === 1)
    await row(page, 'Shop').getByText('Fine', { exact: true }).waitFor()
    await row(page, 'Shop').getByRole('img', { name: 'The last 24 hours: 1 succeeded, 0 failed' }).waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ id, active: true }])
  })

  test('that was enabled without what it holds says what it still holds, and sends it when told to', async () => {
    const { id } = await newWebhook({ description: 'Shop' })
    await t.dispatch()
    receiver.answerWith((response) => response.writeHead(500).end())
    expectStatus(await owner.post('/api/v1/posts', { content: 'Failed before' }), 201)
    await receiver.until((received) => received.length === 1)
    expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { active: false }), 200)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await row(page, 'Shop').getByText('Never delivered').waitFor()
    expect(await row(page, 'Shop').getByText('No event yet').count()).toBe(0)
    await act(page, 'Shop', 'Enable')
    await dialog(page).getByText('1 event is held for it.').waitFor()
    expect(
      await dialog(page)
        .getByLabel(/^Send what happened since it was disabled/)
        .isChecked(),
    ).toBe(true)
    await dialog(page).getByRole('button', { name: 'Enable and send' }).click()
    await page.getByText('but nothing was sent').waitFor()
    await gone(dialog(page))
    await page.getByRole('button', { name: 'More about Shop' }).and(page.locator(':focus')).waitFor()
    await row(page, 'Shop').getByText('1 held').waitFor()
    await row(page, 'Shop').getByText('Nothing delivered yet').waitFor()
    await passes(page, 'still held, in the list')
    await row(page, 'Shop').getByRole('link', { name: 'Shop' }).click()
    const notice = page.getByRole('alert').filter({ hasText: '1 event is held and is not sent by itself' })
    await notice.waitFor()
    await passes(page, 'still held')
    receiver.answerWith((response) => response.writeHead(200).end())
    await notice.getByRole('button', { name: 'Send what is held…' }).click()
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).getByText('1 delivery is on its way').waitFor()
    await receiver.until((received) => received.length === 2)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await gone(notice)
  })

  test('is deleted after a question, and keys go on at the next one', async () => {
    await newWebhook({ description: 'One' })
    await newWebhook({ description: 'Two' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await act(page, 'One', 'Delete')
    await dialog(page).getByText('This cannot be taken back.').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The webhook is deleted.').waitFor()
    await gone(row(page, 'One'))
    await page.getByRole('link', { name: 'Two', exact: true }).and(page.locator(':focus')).waitFor()
    expect(await webhooksOf(owner)).toHaveLength(1)
  })

  test('leads to its page from anywhere in its row, by its host where nothing describes it', async () => {
    const { id, url } = await newWebhook()
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/webhooks'))
    await row(page, new URL(url).host).click()
    await page.waitForURL(`**/webhooks/${id}`)
  })
})

test('a viewer reads how webhooks do and finds nothing to do', async () => {
  const { id } = await newWebhook({ description: 'Shop' })
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const page = await newPage(browser, t, { as: viewer })
  await page.goto(roomOf(owner, '/webhooks'))
  await row(page, 'Shop').getByText('No event yet').waitFor()
  expect(await main(page).getByRole('button').count()).toBe(0)
  expect(await main(page).getByRole('link', { name: 'Add a webhook' }).count()).toBe(0)
  for (const address of ['/webhooks/new', `/webhooks/${id}/edit`]) {
    await page.goto(roomOf(owner, address))
    await page.getByText('Your role does not allow this').waitFor()
  }
})

test('at a phone, in Turkish and in the dark, nothing stands out of the page', async () => {
  await newWebhook({ description: 'Donaudampfschifffahrtsgesellschaft'.repeat(2), headers: { 'X-Long': 'x' } })
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const page = await newPage(browser, t, { as: owner, locale: 'tr', colorScheme: 'dark', ...PHONE })
  await page.goto(roomOf(owner, '/webhooks'))
  await page.getByText('Henüz olay yok').waitFor()
  const width = () => page.evaluate('document.scrollingElement.scrollWidth')
  expect(await width()).toBe(390)
  await page.getByRole('button', { name: /^Diğer işlemler/ }).click()
  await page.getByRole('menuitem', { name: 'Düzenle' }).click()
  await page.getByText('X-Long: gizli').waitFor()
  expect(await width()).toBe(390)
})
