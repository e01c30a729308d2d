import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Billing, billingApp, buyByHand, sellAtStripe } from '../../server/modules/billing/billing.fixture.ts'
import type { TestApp } from '../app.ts'
import { expectStatus, type Person, playgroundAccount, withWorkspace } from '../factories.ts'
import { mailsTo } from '../people.ts'
import { newPage, openBrowser, PHONE } from './browser.ts'
import { expectPageAccessible, main, pagePath } from './pages.ts'

let billing: Billing
let t: TestApp
let browser: Browser
let admin: Person
beforeAll(async () => {
  billing = await billingApp('manual', {}, { live: true })
  ;({ t, admin } = billing)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await billing?.close()
})

test('a workspace asks to pay by hand, an instance admin approves, and the open page shows the plan', async () => {
  const owner = await withWorkspace(t)
  const page = await newPage(browser, t, { as: owner })
  await page.goto(pagePath(owner))
  await page.getByRole('link', { name: 'Billing' }).click()
  await main(page).getByRole('link', { name: 'Choose a plan' }).click()
  await page.getByText('Lira (₺)').click()
  await main(page).getByRole('button', { name: 'Choose Pro' }).click()
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Pro?' })
  await dialog.getByText('Accounts: 15 instead of 3').waitFor()
  await expectPageAccessible(page, 'subscribe')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByText('Waiting for an instance admin').waitFor()
  await expectPageAccessible(page, 'payment request')

  const { body: workspace } = await owner.get('/api/v1/workspace')
  const office = await newPage(browser, t, { as: admin })
  await office.goto('/admin/billing/payment-requests')
  await office.getByRole('button', { name: `Approve: ${workspace.name}` }).click()
  await office.getByLabel('Bank reference').fill('EFT 1')
  await office.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await office.getByText('No payment requests').waitFor()
  await page.getByRole('heading', { name: 'You are on the Pro plan' }).waitFor()
  await page.getByRole('link', { name: 'Go to billing' }).click()
  await main(page).getByRole('listitem').filter({ hasText: /MYD-/ }).getByText('Paid').waitFor()
  await expectPageAccessible(page, 'billing')
  await main(page).getByRole('link', { name: /^MYD-/ }).click()
  const receipt = (await mailsTo(t, owner.email)).find(({ body_text }) => body_text.includes('/billing/invoices/'))
  await page.waitForURL(`**${/\/w\/\S+\/billing\/invoices\/[\w-]+/.exec(receipt?.body_text ?? '')?.[0]}`)
  await main(page).getByRole('row', { name: 'Total ₺499' }).waitFor()
  await expectPageAccessible(page, 'invoice')
  for (const path of ['', '/subscriptions', '/invoices', '/payment-requests']) {
    await office.goto(`/admin/billing${path}`)
    await office.getByRole('heading', { level: 1 }).waitFor()
    await office.waitForLoadState('networkidle')
    await expectPageAccessible(office, `admin${path}`)
  }
})

test('a subscription is canceled after its losses were shown, and resumed, on a phone in Turkish', async () => {
  const owner = await withWorkspace(t)
  for (let n = 0; n < 3; n++) await playgroundAccount(owner)
  await buyByHand(admin, owner)
  await playgroundAccount(owner)
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr-TR' }), 200)
  const page = await newPage(browser, t, { as: owner, locale: 'tr', ...PHONE })
  await page.goto(pagePath(owner, '/billing'))
  await main(page).getByRole('button', { name: 'Aboneliği iptal et' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Hesaplar: 15 yerine 3').waitFor()
  await dialog.getByText('Bu planın içerdiğinden fazlasını kullanıyorsunuz').waitFor()
  await dialog.getByRole('button', { name: 'Aboneliği iptal et' }).click()
  await main(page).getByText('Yakında bitiyor').waitFor()
  expect((await owner.get('/api/v1/billing/subscription')).body.cancel_at_period_end).toBe(true)
  await expectPageAccessible(page, 'canceled')
  await main(page).getByRole('button', { name: 'Aboneliği sürdür' }).click()
  await main(page).getByText('Etkin', { exact: true }).waitFor()
  expect((await owner.get('/api/v1/billing/subscription')).body.cancel_at_period_end).toBe(false)
  expect(await page.evaluate<boolean>('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
})

test('an upgrade asks for exactly the amount that was shown before it is confirmed', async () => {
  const owner = await withWorkspace(t)
  await buyByHand(admin, owner)
  t.advance(6 * 3_600_000)
  const page = await newPage(browser, t, { as: owner, allow: ['409 POST /api/v1/billing/change-plan'] })
  await page.goto(pagePath(owner, '/billing/plans'))
  await main(page).getByRole('button', { name: 'Change to Team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to Team?' })
  await dialog.getByText(/^₺99\d\.\d\d$/).waitFor()
  const shown = await dialog.getByText(/^₺99\d\.\d\d$/).textContent()
  t.advance(20 * 60_000)
  await dialog.getByRole('button', { name: 'Change now' }).click()
  await dialog.getByText('The price has changed').waitFor()
  await expectPageAccessible(page, 'changed price')
  await expect.poll(() => dialog.getByText(/^₺99\d\.\d\d$/).textContent()).not.toBe(shown)
  const again = await dialog.getByText(/^₺99\d\.\d\d$/).textContent()
  await dialog.getByRole('button', { name: 'Change now' }).click()
  await page.getByText('Waiting for an instance admin').waitFor()
  await main(page).getByText(String(again), { exact: true }).waitFor()
})

test('an instance admin tests the chosen payment provider', async () => {
  const page = await newPage(browser, t, { as: admin })
  await page.goto('/admin/options')
  await page.getByRole('button', { name: 'Test the payment provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test the payment provider' })
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText('Payments are approved by an instance admin.').waitFor()
  await expectPageAccessible(page, 'payment provider')
})

test('an account that the plan paused says why, and another can be paused in its place', async () => {
  const owner = await withWorkspace(t)
  await buyByHand(admin, owner)
  for (let n = 0; n < 4; n++) await playgroundAccount(owner)
  const { workspace_id } = owner
  await t.deps.db.updateTable('account').set({ paused_by: 'plan' }).where('workspace_id', '=', workspace_id).execute()
  const page = await newPage(browser, t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  await main(page).getByText('The plan allows fewer accounts').first().waitFor()
  await main(page).getByRole('link', { name: 'Choose a larger plan' }).first().waitFor()
  await expectPageAccessible(page, 'paused accounts')
  await main(page)
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await expect.poll(() => main(page).getByText('Paused', { exact: true }).count()).toBe(3)
})

test('a workspace without billing has no page about it', async () => {
  expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
  try {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/billing'))
    await page.getByRole('heading', { name: 'Billing is off' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
  } finally {
    expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: true }), 200)
  }
})

test('a workspace pays at Stripe and returns to its plan', async () => {
  await sellAtStripe(billing, 'pro')
  expectStatus(await admin.put('/api/v1/options/billing.provider', { value: 'stripe' }), 200)
  const owner = await withWorkspace(t)
  const page = await newPage(browser, t, { as: owner })
  await page.goto(pagePath(owner, '/billing/plans?currency=try'))
  await main(page).getByRole('button', { name: 'Start free trial' }).click()
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Pro?' })
  await dialog.getByText('Free for 14 days').waitFor()
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL(`${billing.world.stripe.url}/**`)
  await page.getByRole('button').first().click()
  await page.getByRole('heading', { name: 'You are on the Pro plan' }).waitFor()
  await page.getByRole('link', { name: 'Go to billing' }).click()
  await main(page).getByText('Trial', { exact: true }).waitFor()
  await main(page)
    .getByText(/ending in \d{4}/)
    .waitFor()
})
