import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, type WorkspaceOwner } from '../factories.ts'
import { webhookReceiver } from '../receiver.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main, newPost, ownerIn, pagePath, visit, waitUntilGone } from './pages.ts'

// Failed deliveries have no attempts left, and after three the endpoint is paused.
const t = await testApp({ WEBHOOK_RETRY_SCHEDULE: '0', WEBHOOK_CIRCUIT: '3,30,900' }, { live: true })
t.dispatch()

/** A workspace with one webhook and its receiver. */
async function webhookOf(more: object = {}) {
  const owner = await ownerIn(t, 'UTC')
  const receiver = await webhookReceiver()
  onTestFinished(receiver.close)
  const { body } = expectStatus(
    await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['*'], ...more }),
    201,
  )
  return { owner, receiver, id: body.id as string, path: `/webhooks/${body.id}` }
}

/** Creates a draft, which is an event, and waits until the receiver has this many requests. */
async function triggerEvent(
  owner: WorkspaceOwner,
  receiver: Awaited<ReturnType<typeof webhookReceiver>>,
  content = 'News',
) {
  const before = receiver.received.length
  await newPost(owner, { content })
  await receiver.until((received) => received.length > before)
  return receiver.received[before]
}

/** Inserts `count` old deliveries without sending their events. */
const pastDeliveries = (webhook_id: string, count: number) =>
  sql`insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms)
    select ${webhook_id}::uuid, id, 1, uuidv7(), 'post.updated', 'schedule', now(), true, true, 204, 12
    from (select uuidv7(make_interval(secs => -number)) as id from generate_series(1, ${count}::int) as number) as made`.execute(
    t.deps.db,
  )

const rows = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
const counted = (found: Locator, count: number) => expect.poll(() => found.count()).toBe(count)
const dialog = (page: Page) => page.getByRole('dialog')
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a failed delivery shows its response, is sent again, and shows that it was delivered', async () => {
  const { owner, receiver, path } = await webhookOf({ headers: { 'X-Tenant': 'ankara' } })
  receiver.respondWith((response) => response.writeHead(500).end('<b>The database</b> is away'))
  const message = await triggerEvent(owner, receiver)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  await page.getByText('The last attempt failed').waitFor()
  const row = rows(page).filter({ hasText: 'post.created' })
  await row.filter({ hasText: 'Failed' }).filter({ hasText: 'HTTP 500' }).waitFor()
  await row.getByRole('link').click()
  await page.waitForURL(/delivery=/)
  // Always shown as text.
  await dialog(page).getByRole('region', { name: 'Response' }).getByText('<b>The database</b> is away').waitFor()
  expect(await dialog(page).getByRole('region', { name: 'Body' }).textContent()).toContain(message?.id)
  const request = dialog(page).getByRole('region', { name: 'Request' })
  for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Service-Signature', 'X-Tenant'])
    await request.getByRole('term').getByText(header, { exact: true }).waitFor()
  expect(await dialog(page).textContent()).not.toContain('ankara')
  await expectPageAccessible(page, 'a delivery')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog(page).getByRole('button', { name: 'Copy: Body' }).click()
  await dialog(page).getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(message?.raw.toString())

  receiver.respondWith((response) => response.writeHead(200).end('taken'))
  await dialog(page).getByRole('button', { name: 'Send now' }).click()
  await dialog(page)
    .getByText(/^200 after \d+ ms$/)
    .waitFor()
  await dialog(page).getByText('Delivered', { exact: true }).waitFor()
  await dialog(page).getByRole('region', { name: 'Response' }).getByText('taken').waitFor()
  await expect.poll(() => dialog(page).getByText('sent manually').count()).toBe(1)
  expect(receiver.received.map(({ raw }) => raw.toString())).toEqual([message?.raw.toString(), message?.raw.toString()])
  await page.keyboard.press('Escape')
  await waitUntilGone(dialog(page))
  await row.filter({ hasText: 'Delivered' }).filter({ hasText: '2 attempts' }).waitFor()
  await waitUntilGone(page.getByText('The last attempt failed'))
  await expect.poll(() => row.getByRole('link').and(page.locator(':focus')).count()).toBe(1)
})

test('a delivery is sent again from its row, which keeps the focus', async () => {
  const { owner, receiver, path } = await webhookOf()
  receiver.respondWith((response) => response.writeHead(503).end())
  await triggerEvent(owner, receiver)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  receiver.respondWith((response) => response.writeHead(200).end())
  await page.getByRole('button', { name: /^Send now: post\.created/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('post.created is queued for sending.').waitFor()
  await rows(page).filter({ hasText: 'Delivered' }).waitFor()
  await waitUntilGone(page.getByRole('button', { name: /^Send now: post\.created/ }))
  await rows(page).getByRole('link').and(page.locator(':focus')).waitFor()
})

test('new deliveries appear at the top, but not while the pointer is over the log', async () => {
  const { owner, receiver, path } = await webhookOf()
  await triggerEvent(owner, receiver)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  const first = rows(page).first().getByRole('link')
  await first.focus()
  await triggerEvent(owner, receiver)
  await counted(rows(page), 2)
  await expect.poll(() => rows(page).nth(1).getByRole('link').and(page.locator(':focus')).count()).toBe(1)
  await rows(page).nth(1).hover()
  await triggerEvent(owner, receiver)
  await page.getByRole('button', { name: '1 new' }).waitFor()
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.getByRole('button', { name: '1 new' }).click()
  await counted(rows(page), 3)
  await expect.poll(() => rows(page).first().getByRole('link').and(page.locator(':focus')).count()).toBe(1)
})

test('the filters of the log are in the URL', async () => {
  const { owner, receiver, id, path } = await webhookOf()
  receiver.respondWith((response) => response.writeHead(500).end())
  const failed = await triggerEvent(owner, receiver)
  receiver.respondWith((response) => response.writeHead(200).end())
  await triggerEvent(owner, receiver)
  expectStatus(await owner.post(`/api/v1/webhooks/${id}/test`), 200)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  await counted(rows(page), 3)
  await choose(page, 'Status', 'Failed')
  await counted(rows(page), 1)
  await page.waitForURL(/state=failed/)
  await choose(page, 'Event type', 'webhook.test')
  await page.getByText('No matching deliveries').waitFor()
  await expectPageAccessible(page, 'deliveries, none found')
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await counted(rows(page), 3)

  const event = page.getByRole('searchbox', { name: 'Event ID' })
  await event.fill('nonsense')
  await page.getByText('This text contains no event ID.').waitFor()
  await event.fill(`webhook-id: ${failed?.id?.toUpperCase()}`)
  await counted(rows(page), 1)
  await page.reload()
  await rows(page).filter({ hasText: 'Failed' }).waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  expect(await event.inputValue()).toBe(failed?.id)
})

test('deliveries are found by status and time, and through links from the counts and the chart', async () => {
  const { owner, receiver, id, path } = await webhookOf()
  await triggerEvent(owner, receiver, 'Fresh simit')
  receiver.respondWith((response) => response.writeHead(500).end())
  await triggerEvent(owner, receiver, 'Burnt simit')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  await counted(rows(page).filter({ hasText: 'Failed' }), 1)
  await sql`update delivery set state = 'waiting', run_at = now() + interval '1 hour' where webhook_id = ${id}`.execute(
    t.deps.db,
  )
  const retried = rows(page).filter({ hasText: 'Retrying' })
  await retried.filter({ hasText: 'Burnt simit' }).waitFor()
  await choose(page, 'Status', 'Retrying')
  await page.waitForURL(/state=retrying/)
  await counted(rows(page), 1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await counted(rows(page), 2)

  await page.getByRole('button', { name: 'From, in UTC: From any time' }).click()
  await expectPageAccessible(page, 'from when on')
  await page.getByRole('button', { name: 'Last hour' }).click()
  await page.waitForURL(/since=/)
  await page.keyboard.press('Escape')
  await counted(rows(page), 2)
  await visit(page, pagePath(owner, `${path}?until=2026-01-01T00%3A00%3A00Z`))
  await page.getByText('No matching deliveries').waitFor()
  await page.getByRole('button', { name: 'Clear end time' }).click()
  await counted(rows(page), 2)

  const numbers = main(page).locator('dl > div')
  await numbers
    .filter({ hasText: /^Failed/ })
    .getByRole('link', { name: '1', exact: true })
    .click()
  await page.waitForURL(/state=undelivered/)
  expect(page.url()).toContain('since=')
  await counted(rows(page), 1)
  await numbers
    .filter({ hasText: /^Succeeded/ })
    .getByRole('link', { name: '1', exact: true })
    .click()
  await rows(page).filter({ hasText: 'Fresh simit' }).waitFor()
  await counted(rows(page), 1)
  await page.locator('[data-picked]').last().click()
  await page.waitForURL(/until=/)
  expect(page.url()).not.toContain('state=')

  await visit(page, pagePath(owner, path))
  await retried.getByRole('link').click()
  await dialog(page).getByText('Computed for each attempt and not stored.').waitFor()
  const { received } = receiver
  await dialog(page)
    .getByText(String(received.at(-1)?.headers['webhook-timestamp']), { exact: true })
    .waitFor()
  await expectPageAccessible(page, 'an attempt')
})

test('older deliveries are loaded on demand, and none is lost while others arrive', async () => {
  const { owner, receiver, id, path } = await webhookOf()
  await pastDeliveries(id, 60)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  await counted(rows(page), 25)
  await page.getByRole('button', { name: 'Show more' }).click()
  await counted(rows(page), 50)
  // The focus moves to the first new row.
  await rows(page).nth(25).and(page.locator(':focus')).waitFor()
  await page.mouse.move(0, 0)
  await triggerEvent(owner, receiver)
  await counted(rows(page), 51)
  await rows(page).nth(26).and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await counted(rows(page), 61)
})

test('a paused endpoint shows since when, its last response and the next attempt, and gets missed events afterwards', async () => {
  const { owner, receiver, path } = await webhookOf({ description: 'Order desk' })
  receiver.respondWith((response) => response.writeHead(500).end('Out of paper'))
  for (const content of ['One', 'Two', 'Three']) await triggerEvent(owner, receiver, content)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  await page.getByRole('heading', { name: 'Order desk', level: 1 }).waitFor()
  const trouble = page.getByRole('alert').filter({ hasText: 'Deliveries are paused after 3 failures in a row' })
  await trouble.getByText('Out of paper').waitFor()
  await trouble.getByText(/Meydan sends one delivery to check the endpoint/).waitFor()
  await trouble.getByText(/If no delivery succeeds by/).waitFor()
  const numbers = main(page).locator('dl')
  await numbers.filter({ hasText: /No attempts left\s*3/ }).waitFor()
  await expectPageAccessible(page, 'a webhook that rests')

  receiver.respondWith((response) => response.writeHead(200).end())
  await page.getByRole('button', { name: 'Send missed events…' }).click()
  expect(
    await dialog(page)
      .getByLabel(/^Since the failures began/)
      .isChecked(),
  ).toBe(true)
  await dialog(page).getByLabel('Since another time').check()
  await dialog(page).getByText('Date and time in UTC').waitFor()
  await expectPageAccessible(page, 'what was missed')
  await dialog(page).getByLabel('Last 24 hours').check()
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
  await dialog(page).getByText('3 deliveries are queued').waitFor()
  await dialog(page).getByText('The list of deliveries shows their progress.').waitFor()
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await counted(rows(page).filter({ hasText: 'Delivered' }), 3)
  await waitUntilGone(trouble)
})

test('a webhook that Meydan disables shows it at once, with the number of held events', async () => {
  const { owner, receiver, path } = await webhookOf()
  await triggerEvent(owner, receiver)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, path))
  await counted(rows(page), 1)
  await page.getByRole('button', { name: 'Send missed events…' }).waitFor()
  receiver.respondWith((response) => response.writeHead(410).end())
  await triggerEvent(owner, receiver)
  const trouble = page.getByRole('alert').filter({ hasText: 'because the endpoint responded 410 Gone' })
  await trouble.waitFor()
  await newPost(owner, { content: 'Unheard' })
  await rows(page).filter({ hasText: 'Held' }).waitFor()
  await trouble.getByText('1 event is held.').waitFor()
  expect(await page.getByRole('button', { name: /^Send/ }).allTextContents()).toEqual(['Send test event'])
  await expectPageAccessible(page, 'a disabled webhook')
  receiver.respondWith((response) => response.writeHead(200).end())
  await trouble.getByRole('button', { name: 'Enable…' }).click()
  // Includes failures from before it was disabled.
  expect(
    await dialog(page)
      .getByLabel(/^Send events since the failures began/)
      .isChecked(),
  ).toBe(true)
  await dialog(page).getByRole('button', { name: 'Enable and send' }).click()
  await page.getByText('Webhook enabled. 2 events are being sent.').waitFor()
  await waitUntilGone(trouble)
  await counted(rows(page).filter({ hasText: 'Delivered' }), 3)
})

test('a failing webhook is listed on the overview and marked in the sidebar', async () => {
  const { owner, receiver, id } = await webhookOf({ description: 'Order desk' })
  await triggerEvent(owner, receiver)
  const page = await newPage(t, { as: owner })
  const attention = page.getByRole('region', { name: 'Needs your attention' })
  const sign = page.getByRole('navigation').getByRole('img', { name: '1 webhook fails' })
  await page.goto(pagePath(owner, '/webhooks'))
  await page.getByRole('listitem', { name: 'Order desk' }).waitFor()
  await expect.poll(() => sign.count()).toBe(0)
  receiver.respondWith((response) => response.writeHead(500).end())
  await triggerEvent(owner, receiver)
  await sign.waitFor()
  await visit(page, pagePath(owner))
  await attention.getByText('1 event has no attempts left.').waitFor()
  await attention.getByRole('link', { name: 'Deliveries to the webhook Order desk are failing.' }).waitFor()
  await page.getByRole('navigation').getByRole('img', { name: '1 waiting inside' }).waitFor()
  await expectPageAccessible(page, 'overview, a webhook in trouble')
  receiver.respondWith((response) => response.writeHead(410).end())
  await triggerEvent(owner, receiver)
  await expect.poll(async () => (await owner.get(`/api/v1/webhooks/${id}`)).body.active).toBe(false)
  await newPost(owner, { content: 'Unheard' })
  await page.reload()
  await attention.getByText('1 event is held.').waitFor()
  await attention.getByRole('link', { name: 'Meydan disabled the webhook Order desk.' }).click()
  await page.waitForURL(`**/webhooks/${id}`)
  expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { active: true }), 200)
  expectStatus(await owner.patch(`/api/v1/webhooks/${id}`, { active: false }), 200)
  await page.goto(pagePath(owner))
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await waitUntilGone(attention)
})

test('a viewer sees all deliveries and no buttons', async () => {
  const { owner, receiver, path } = await webhookOf()
  receiver.respondWith((response) => response.writeHead(500).end('no'))
  await triggerEvent(owner, receiver)
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const page = await newPage(t, { as: viewer })
  await page.goto(pagePath(owner, path))
  await rows(page).filter({ hasText: 'Failed' }).getByRole('link').click()
  await dialog(page).getByRole('region', { name: 'Body' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Send/, includeHidden: true }).count()).toBe(0)
})

test('a URL opens one delivery, also in Turkish, and an unknown one is reported', async () => {
  const { owner, receiver, id, path } = await webhookOf()
  await triggerEvent(owner, receiver)
  const { body } = expectStatus(await owner.get(`/api/v1/webhooks/${id}/deliveries`), 200)
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr-TR' }), 200)
  const page = await newPage(t, { as: owner, locale: 'tr', allow: ['404 '] })
  await page.goto(pagePath(owner, `${path}?delivery=${body.data[0].id}`))
  await dialog(page).getByText('Teslim edildi', { exact: true }).waitFor()
  await dialog(page)
    .getByText(/^1\. deneme/)
    .waitFor()
  await dialog(page).getByRole('link', { name: 'Yalnızca bu olayı göster' }).click()
  await waitUntilGone(dialog(page))
  await page.waitForURL(new RegExp(`event=${body.data[0].event_id}`))
  await visit(page, pagePath(owner, `${path}?delivery=${owner.id}`))
  await dialog(page).getByText('Bu teslimat artık yok').waitFor()
  await visit(page, pagePath(owner, `/webhooks/${owner.id}`))
  await page.getByRole('heading', { name: 'Sayfa bulunamadı' }).waitFor()
})

test('the pages of a webhook are no wider than a phone', async () => {
  const { owner, receiver, id, path } = await webhookOf({ description: 'W'.repeat(120) })
  expectStatus(
    await owner.patch(`/api/v1/webhooks/${id}`, { url: `${receiver.url}/${'path'.repeat(60)}?q=${'x'.repeat(300)}` }),
    200,
  )
  receiver.respondWith((response) => response.writeHead(500).end('x'.repeat(5000)))
  await triggerEvent(owner, receiver)
  const page = await newPage(t, { as: owner, ...PHONE })
  const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
  await page.goto(pagePath(owner, path))
  await rows(page).filter({ hasText: 'HTTP 500' }).waitFor()
  expect(await overflow()).toBe(0)
  await expectPageAccessible(page, 'a webhook on a phone')
  await rows(page).getByRole('link').click()
  await dialog(page).getByRole('region', { name: 'Body' }).waitFor()
  expect(await overflow()).toBe(0)
  expect((await dialog(page).boundingBox())?.width).toBe(390)
  await expectPageAccessible(page, 'a delivery on a phone')
})
