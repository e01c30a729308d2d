import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { webhookReceiver } from '../receiver.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath } from './pages.ts'
import { chooseAction, dialogOf, newWebhook, shownSecret, webhooksOf } from './webhooks.fixture.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let owner: WorkspaceOwner
beforeEach(async () => {
  receiver = await webhookReceiver()
  owner = await withWorkspace(t)
})
afterEach(() => receiver.close())

describe('creating webhooks', () => {
  test('a new webhook has a description, chosen events and chosen names, and its page opens after the secret was saved', async () => {
    const page = await newPage(t, { as: owner })
    await page.clock.install()
    await page.goto(pagePath(owner, '/webhooks'))
    await page.getByText('No webhooks yet').waitFor()
    await main(page).getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel(/^Endpoint URL/).fill(receiver.url)
    await page.getByLabel('Description').fill('Order system')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Header 1: Name').fill('X-Team')
    await page.getByLabel('Header 1: Value').fill('square')
    await page.getByLabel('Selected events').check()
    await page.getByLabel('Search events').fill('publish')
    await page.getByLabel('Search events').press('Enter')
    await expect.poll(() => page.getByRole('checkbox', { name: 'post.created' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'post.published' }).check()
    await page.getByRole('radio', { name: 'publish.success' }).check()
    await page.getByRole('region', { name: 'Sample: publish.success' }).getByText('"type": "publish.success"').waitFor()
    await page.getByLabel('Search events').fill('')
    await page.getByRole('button', { name: 'Show a sample of account.disconnected' }).click()
    await page.getByRole('region', { name: 'Sample: account.disconnected' }).getByText('"account"').waitFor()
    await expectPageAccessible(page, 'form')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await shownSecret(page).waitFor()
    const secret = await shownSecret(page).textContent()
    await expectPageAccessible(page, 'secret')
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.clock.runFor(1000)
    expect(await shownSecret(page).textContent()).toBe(secret)
    await dialogOf(page).getByRole('button', { name: 'I have saved it' }).click()
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'Order system', level: 1 }).waitFor()
    await expect.poll(() => page.getByText(/whsec_/).count()).toBe(0)
    expect(await webhooksOf(owner)).toMatchObject([
      { url: receiver.url, description: 'Order system', events: ['publish.success'], header_names: ['X-Team'] },
    ])
  })

  test('an invalid form shows the errors at its fields and focuses the first one', async () => {
    const page = await newPage(t, { as: owner, allow: ['400 POST /api/v1/webhooks'] })
    await page.goto(pagePath(owner, '/webhooks/new'))
    await page.getByLabel(/^Endpoint URL/).fill('example.com/hook')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Start the URL with https://').waitFor()
    await page.getByLabel(/^Endpoint URL/).fill('ftp://example.com')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Header 1: Name').fill('Two words')
    await page.getByLabel('Header 1: Value').fill('x')
    await page.getByLabel('Selected events').check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Select at least one event.').waitFor()
    await page.getByText('Use letters, digits and hyphens only').waitFor()
    await page.getByRole('checkbox', { name: 'post.created' }).check()
    await page.getByLabel('Header 1: Name').fill('Host')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const address = page.getByLabel(/^Endpoint URL/)
    await address.and(page.locator(':focus')).waitFor()
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    await expectPageAccessible(page, 'refused')
    await address.fill(receiver.url)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Meydan sets this header itself').waitFor()
    await page.getByLabel('Header 1: Name').and(page.locator(':focus')).waitFor()
  })

  test('a webhook whose response was lost is not created twice, and rotating its secret shows one', async () => {
    const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
    await page.goto(pagePath(owner, '/webhooks/new'))
    let tries = 0
    await page.route('**/api/v1/webhooks', async (route) => {
      if (route.request().method() !== 'POST' || tries++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByLabel(/^Endpoint URL/).fill(receiver.url)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await main(page).getByText('Meydan is not responding. Try again').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await dialogOf(page).getByText('The secret was not received').waitFor()
    await expectPageAccessible(page, 'lost secret')
    await dialogOf(page).getByRole('button', { name: 'Create and show a new secret' }).click()
    await shownSecret(page).waitFor()
    await dialogOf(page).getByRole('button', { name: 'I have saved it' }).click()
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    expect(await webhooksOf(owner)).toHaveLength(1)
  })

  test('the form asks before unsaved changes are left', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks/new'))
    await page.getByLabel('Description').fill('Half')
    await page.getByRole('link', { name: 'Posts', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('Half')
  })
})

describe('editing webhooks', () => {
  test('a webhook is edited, its headers stay hidden until they are replaced, and nothing else changes', async () => {
    const { id } = await newWebhook(owner, receiver, {
      description: 'Before',
      headers: { Authorization: 'Bearer secret' },
    })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/webhooks'))
    await chooseAction(page, 'Before', 'Edit')
    await page.getByText('Authorization: hidden').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await page.getByLabel('Description').fill('After')
    await page.getByRole('button', { name: 'Replace all' }).click()
    await page.getByText('Saving replaces the current header').waitFor()
    await page.getByLabel('Header 1: Value').and(page.locator(':focus')).waitFor()
    expect(await page.getByLabel('Header 1: Name').inputValue()).toBe('Authorization')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Enter a value.').waitFor()
    await page.getByLabel('Header 1: Name').fill('X-Key')
    await page.getByLabel('Header 1: Value').fill('new')
    await expectPageAccessible(page, 'edit')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Webhook saved.').waitFor()
    await page.waitForURL(`**/webhooks/${id}`)
    await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
    expect(await webhooksOf(owner)).toMatchObject([
      { url: receiver.url, description: 'After', events: ['*'], header_names: ['X-Key'] },
    ])
  })

  test('headers have to be entered again when the webhook gets another receiver', async () => {
    const { id } = await newWebhook(owner, receiver, {
      description: 'Moves',
      url: 'http://127.0.0.1:9/',
      headers: { 'X-Key': 'old' },
    })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/webhooks/${id}/edit`))
    await page.getByText('X-Key: hidden').waitFor()
    await page.getByLabel(/^Endpoint URL/).fill('http://127.0.0.1:9/other')
    await page.getByLabel('Description').fill('Moved')
    await page.getByText('X-Key: hidden').waitFor()
    await page.getByLabel(/^Endpoint URL/).fill(receiver.url)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('the current headers will not be sent there').waitFor()
    expect(await page.getByLabel('Header 1: Name').inputValue()).toBe('X-Key')
    await expect.poll(() => page.getByRole('button', { name: 'Keep current headers' }).count()).toBe(0)
    await expectPageAccessible(page, 'another receiver')
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Webhook saved.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ url: receiver.url, description: 'Moved', header_names: [] }])
  })

  test('removing all headers has to be confirmed by saving', async () => {
    const { id } = await newWebhook(owner, receiver, { headers: { 'X-One': '1', 'X-Two': '2' } })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/webhooks/${id}/edit`))
    await page.getByRole('button', { name: 'Replace all' }).click()
    for (const row of [2, 1]) await page.getByRole('button', { name: `Remove header ${row}` }).click()
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Header 1: Name').and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Enter at least one header, or choose “Remove all”.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ header_names: ['X-One', 'X-Two'] }])
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('Saving removes these headers: X-One, X-Two.').waitFor()
    await page.getByRole('button', { name: 'Keep current headers' }).and(page.locator(':focus')).click()
    await page.getByText('X-Two: hidden value').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove all' }).click()
    await expectPageAccessible(page, 'headers removed')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Webhook saved.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ header_names: [] }])
  })

  test('the form asks for the header values again when the URL belongs to another endpoint', async () => {
    const { id } = await newWebhook(owner, receiver, { headers: { Authorization: 'Bearer secret' } })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/webhooks/${id}/edit`))
    const address = page.getByLabel(/^Endpoint URL/)
    await address.fill(`${receiver.url}/other`)
    await expect.poll(() => page.getByText('The URL belongs to a different endpoint, so').count()).toBe(0)
    await address.fill('https://example.com/hook')
    await page.getByText('The URL belongs to a different endpoint, so').waitFor()
    expect(await page.getByLabel('Header 1: Name').inputValue()).toBe('Authorization')
    await expect.poll(() => page.getByRole('button', { name: 'Keep current headers' }).count()).toBe(0)
    await expectPageAccessible(page, 'moved')
    await address.fill(receiver.url)
    await page.getByText('Authorization: hidden value').waitFor()
    await address.fill('https://example.com/hook')
    await page.getByLabel('Header 1: Value').fill('Bearer other')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Webhook saved.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([
      { url: 'https://example.com/hook', header_names: ['Authorization'] },
    ])
  })

  test('a webhook that was changed elsewhere is not overwritten, and the input stays', async () => {
    const { id } = await newWebhook(owner, receiver, { description: 'Before' })
    const page = await newPage(t, { as: owner, allow: ['412 PATCH'] })
    await page.goto(pagePath(owner, `/webhooks/${id}/edit`))
    await page.getByLabel('Description').fill('Mine')
    expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { events: ['post.failed'] }), 200)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('This was changed elsewhere').waitFor()
    await expectPageAccessible(page, 'conflict')
    await page.getByRole('button', { name: 'Load latest version' }).click()
    await page.getByText('1 selected').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Webhook saved.').waitFor()
    expect(await webhooksOf(owner)).toMatchObject([{ description: 'Mine', events: ['post.failed'] }])
  })

  test('a form without changes shows the latest version', async () => {
    const { id } = await newWebhook(owner, receiver, { description: 'Before' })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/webhooks/${id}/edit`))
    const description = page.getByLabel('Description')
    await expect.poll(() => description.inputValue()).toBe('Before')
    expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { description: 'Theirs' }), 200)
    // Refetched as on every return to the tab.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await expect.poll(() => description.inputValue()).toBe('Theirs')
    await description.fill('Mine')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Webhook saved.').waitFor()
  })
})
