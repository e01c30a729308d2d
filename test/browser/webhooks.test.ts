import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, memberOf, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { webhookReceiver } from '../receiver.ts'
import { newPage, openBrowser, PHONE } from './browser.ts'
import { expectPageAccessible, main, pagePath, waitUntilGone } from './pages.ts'
import { chooseAction, dialogOf, newWebhook, rowOf, shownSecret, webhooksOf } from './webhooks.fixture.ts'

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

describe('existing webhooks', () => {
  test('a test event shows the response of the receiver, also a failure', async () => {
    await newWebhook(owner, receiver, { description: 'Shop' })
    receiver.answerWith((response) => response.writeHead(200).end('{"got":"it"}'))
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await rowOf(page, 'Shop').getByText('No events yet').waitFor()
    await chooseAction(page, 'Shop', 'Send test event')
    await dialogOf(page)
      .getByText(/The endpoint responded 200 after \d+ ms/)
      .waitFor()
    await dialogOf(page).getByRole('region', { name: 'Response' }).getByText('"got": "it"').waitFor()
    await expectPageAccessible(page, 'test')
    receiver.answerWith((response) => response.writeHead(500).end('out of beans'))
    await dialogOf(page).getByRole('button', { name: 'Send another' }).click()
    await dialogOf(page)
      .getByText(/The endpoint responded 500/)
      .waitFor()
    await dialogOf(page).getByText('out of beans').waitFor()
    await dialogOf(page).getByText('Other events would be retried.').waitFor()
    await expectPageAccessible(page, 'refused test')
    expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test'])
  })

  test('a secret is rotated, and the former one keeps signing for the chosen time', async () => {
    const { secret } = await newWebhook(owner, receiver, { description: 'Shop' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await chooseAction(page, 'Shop', 'Rotate secret')
    expect(await dialogOf(page).getByLabel('1 day').isChecked()).toBe(true)
    await dialogOf(page).getByLabel('Not at all: it expires immediately').check()
    await dialogOf(page).getByText('signed with the new secret only').waitFor()
    await dialogOf(page).getByLabel('1 hour').check()
    await dialogOf(page).getByText('webhook-signature contains both').waitFor()
    await expectPageAccessible(page, 'rotate')
    await dialogOf(page).getByRole('button', { name: 'Rotate secret' }).click()
    await shownSecret(page).waitFor()
    expect(await shownSecret(page).textContent()).not.toBe(secret)
    await dialogOf(page).getByText('the previous secret signs as well').waitFor()
    await dialogOf(page).getByRole('button', { name: 'I have saved it' }).click()
    await waitUntilGone(dialogOf(page))
    await chooseAction(page, 'Shop', 'Send test event')
    await dialogOf(page)
      .getByText(/The endpoint responded 200/)
      .waitFor()
    expect(receiver.received[0]?.headers['x-service-signature-next']).toBeDefined()
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click()
    await rowOf(page, 'Shop').getByRole('link', { name: 'Shop' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'the previous secret is valid until' })
    await notice.getByRole('button', { name: 'Rotate secret' }).click()
    await dialogOf(page).getByText('If you rotate now, it expires immediately.').waitFor()
  })

  test('enabling a disabled webhook asks about held events and sends them on request', async () => {
    const { id } = await newWebhook(owner, receiver, { description: 'Shop' })
    await t.dispatch()
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await chooseAction(page, 'Shop', 'Disable')
    await dialogOf(page).getByText('New events are held for 30 days').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Webhook disabled.').waitFor()
    await rowOf(page, 'Shop').getByText('Disabled by a member.').waitFor()
    await expectPageAccessible(page, 'disabled')
    expectStatus(await owner.post('/api/v1/posts', { content: 'Missed' }), 201)
    await chooseAction(page, 'Shop', 'Enable')
    await dialogOf(page).getByText('1 event is held.').waitFor()
    await expectPageAccessible(page, 'enable')
    await dialogOf(page).getByLabel('Send all events that are held or have no attempts left').check()
    await dialogOf(page).getByRole('button', { name: 'Enable and send' }).click()
    await page.getByText('Webhook enabled. 1 event is being sent.').waitFor()
    await receiver.until((received) => received.length === 1)
    await rowOf(page, 'Shop').getByText('Healthy', { exact: true }).waitFor()
    await rowOf(page, 'Shop').getByRole('img', { name: 'Last 24 hours: 1 succeeded, 0 failed' }).waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ id, active: true }])
  })

  test('a webhook that was enabled without sending shows its held events, and sends them on request', async () => {
    const { id } = await newWebhook(owner, receiver, { description: 'Shop' })
    await t.dispatch()
    receiver.answerWith((response) => response.writeHead(500).end())
    expectStatus(await owner.post('/api/v1/posts', { content: 'Failed before' }), 201)
    await receiver.until((received) => received.length === 1)
    expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { active: false }), 200)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await rowOf(page, 'Shop').getByText('No successful delivery yet').waitFor()
    await expect.poll(() => rowOf(page, 'Shop').getByText('No events yet').count()).toBe(0)
    await chooseAction(page, 'Shop', 'Enable')
    await dialogOf(page).getByText('1 event is held.').waitFor()
    expect(
      await dialogOf(page)
        .getByLabel(/^Send events since it was disabled/)
        .isChecked(),
    ).toBe(true)
    await dialogOf(page).getByRole('button', { name: 'Enable and send' }).click()
    await page.getByText('Nothing was sent, because').waitFor()
    await waitUntilGone(dialogOf(page))
    await page.getByRole('button', { name: 'More actions for Shop' }).and(page.locator(':focus')).waitFor()
    await rowOf(page, 'Shop').getByText('1 held').waitFor()
    await rowOf(page, 'Shop').getByText('Nothing delivered yet').waitFor()
    await expectPageAccessible(page, 'still held, in the list')
    await rowOf(page, 'Shop').getByRole('link', { name: 'Shop' }).click()
    const notice = page.getByRole('alert').filter({ hasText: '1 held event is not sent automatically' })
    await notice.waitFor()
    await expectPageAccessible(page, 'still held')
    receiver.answerWith((response) => response.writeHead(200).end())
    await notice.getByRole('button', { name: 'Send held events…' }).click()
    await dialogOf(page).getByRole('button', { name: 'Send', exact: true }).click()
    await dialogOf(page).getByText('1 delivery is queued').waitFor()
    await receiver.until((received) => received.length === 2)
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click()
    await waitUntilGone(notice)
  })

  test('a webhook is deleted after a confirmation, and the focus moves to the next one', async () => {
    await newWebhook(owner, receiver, { description: 'One' })
    await newWebhook(owner, receiver, { description: 'Two' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await chooseAction(page, 'One', 'Delete')
    await dialogOf(page).getByText('This cannot be undone.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Webhook deleted.').waitFor()
    await waitUntilGone(rowOf(page, 'One'))
    await page.getByRole('link', { name: 'Two', exact: true }).and(page.locator(':focus')).waitFor()
    expect(await webhooksOf(owner)).toHaveLength(1)
  })

  test('a whole row links to the webhook, which is named by host and path when it has no description', async () => {
    const { id, url } = await newWebhook(owner, receiver)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await rowOf(page, new URL(url).host + new URL(url).pathname).click()
    await page.waitForURL(`**/webhooks/${id}`)
  })
})

test('a viewer sees the state of webhooks and no buttons', async () => {
  const { id } = await newWebhook(owner, receiver, { description: 'Shop' })
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const page = await newPage(browser, t, { as: viewer })
  await page.goto(pagePath(owner, '/webhooks'))
  await rowOf(page, 'Shop').getByText('No events yet').waitFor()
  await expect.poll(() => main(page).getByRole('button').count()).toBe(0)
  await expect.poll(() => main(page).getByRole('link', { name: 'Add a webhook' }).count()).toBe(0)
  for (const address of ['/webhooks/new', `/webhooks/${id}/edit`]) {
    await page.goto(pagePath(owner, address))
    await page.getByText('Your role does not allow this').waitFor()
  }
})

test('the pages of webhooks fit a phone in Turkish and in dark', async () => {
  await newWebhook(owner, receiver, {
    description: 'Donaudampfschifffahrtsgesellschaft'.repeat(2),
    headers: { 'X-Long': 'x' },
  })
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const page = await newPage(browser, t, { as: owner, locale: 'tr', colorScheme: 'dark', ...PHONE })
  await page.goto(pagePath(owner, '/webhooks'))
  await page.getByText('Henüz olay yok').waitFor()
  const width = () => page.evaluate('document.scrollingElement.scrollWidth')
  expect(await width()).toBe(390)
  await page.getByRole('button', { name: /diğer işlemler$/ }).click()
  await page.getByRole('menuitem', { name: 'Düzenle' }).click()
  await page.getByText('X-Long: gizli').waitFor()
  expect(await width()).toBe(390)
})
