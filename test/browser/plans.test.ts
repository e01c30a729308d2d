import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type Person, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { expectAccessible, newPage, PHONE } from './browser.ts'
import { dayIn, descriptionOf, expectPageAccessible, main, newPost, pagePath, visit, waitUntilGone } from './pages.ts'

let t: TestApp
let admin: Person
// An installation has one list of plans.
beforeEach(async () => {
  t = await testApp({}, { live: true })
  onTestFinished(t.close)
  admin = await signedIn(t, { instanceAdmin: true })
  expectStatus(await admin.post('/api/v1/workspaces', { name: 'Desk', timezone: 'UTC' }), 201)
})

const codes = async (): Promise<string[]> =>
  expectStatus(await t.anyone.get('/api/v1/plans'), 200).body.data.map(({ code }: { code: string }) => code)
const readPlan = async (code: string) => expectStatus(await admin.get(`/api/v1/admin/plans/${code}`), 200).body
const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true })
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move: ${name}`, exact: true })
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

async function act(page: Page, name: string, wanted: string) {
  await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: wanted, exact: true }).click()
}

describe('instance admins', () => {
  test('an instance admin creates a plan next to a preview of its card, and sees the limits of the fields', async () => {
    const page = await newPage(t, { as: admin })
    await page.goto('/admin/plans')
    await main(page).getByRole('link', { name: 'New plan' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Büyük Ekip')
    expect(await page.getByLabel(/^Code/).inputValue()).toBe('buyuk-ekip')
    await page.getByLabel('Monthly price in lira').fill('4.990')
    await page.getByLabel('Trial days').fill('366')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await page.getByText('Enter a number up to 10,000,000, such as 4990 or 299.90.').waitFor()
    await page.getByText('Enter a whole number from 0 to 365, or leave it empty.').waitFor()
    const month = page.getByLabel('Monthly price in lira')
    await month.and(page.locator(':focus')).waitFor()
    await month.fill('299,90')
    await page.getByLabel('Yearly price in lira').fill('2999')
    await page.getByText('The yearly price is 16% lower than twelve months.').waitFor()
    await page.getByLabel('Sell in US dollars, too').uncheck({ force: true })
    await page.getByLabel('Trial days').fill('30')
    await page.getByLabel('Unlimited: Accounts').check({ force: true })
    for (const [name, amount] of Object.entries({
      'Posts per month': '5,000',
      'Scheduled posts': '100',
      'AI credits per month': '1000000001',
      Members: '10',
      Storage: '1000',
    }))
      await page.getByRole('textbox', { name }).fill(amount)
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.keyboard.type('Help by phone')
    await page.keyboard.press('Enter')
    await page.keyboard.type('A person of your own')
    await page.getByRole('checkbox', { name: 'Audit log' }).check()
    await page.getByRole('button', { name: 'Add a key' }).click()
    await page.getByLabel('Key 1', { exact: true }).fill('stripe_price_id_monthly_try')
    await page.getByLabel('Value 1').fill('price_1')
    const preview = card(page, 'Büyük Ekip')
    for (const said of [/299\.90/, '30-day free trial', 'Unlimited accounts', '5,000 posts per month', 'Help by phone'])
      await preview.getByText(said).waitFor()
    await page.getByRole('button', { name: 'Create plan' }).click()
    const credits = page.getByRole('textbox', { name: 'AI credits per month' })
    await credits.and(page.locator(':focus')).waitFor()
    expect(await descriptionOf(credits)).toContain('Enter a whole number from 0 to 1,000,000,000.')
    await expectAccessible(page)
    await credits.fill('0')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await row(page, 'Büyük Ekip').waitFor()
    expect(await readPlan('buyuk-ekip')).toMatchObject({
      prices: { try: { monthly: 299.9, yearly: 2999 }, usd: null },
      trial_days: 30,
      limits: { social_accounts: -1, posts_per_month: 5000, ai_credits: 0, storage_mb: 1000 },
      features: ['Help by phone', 'A person of your own'],
      entitlements: ['audit_log'],
      metadata: { stripe_price_id_monthly_try: 'price_1' },
    })
  })

  test('plans are reordered by mouse, touch and keyboard with announcements, and one by one in the menu', async () => {
    const page = await newPage(t, { as: admin, hasTouch: true })
    await page.goto('/admin/plans')
    await expectPageAccessible(page, 'plans')
    const before = await codes()
    const others = before.slice(3)
    const from = await handle(page, 'Free').boundingBox()
    const to = await handle(page, 'Team').boundingBox()
    if (!from || !to) throw new Error('There is no handle')
    await page.mouse.move(from.x + 15, from.y + 15)
    await page.mouse.down()
    await page.mouse.move(from.x + 15, from.y + 40, { steps: 3 })
    await page.mouse.move(to.x + 15, to.y + 20, { steps: 5 })
    await page.mouse.up()
    await expect.poll(codes).toEqual(['pro', 'team', 'free', ...others])
    await handle(page, 'Free').focus()
    await page.keyboard.press('Space')
    await page.getByText(/^Free picked up at position 3/).waitFor({ state: 'attached' })
    // The library listens to arrow keys one task after the row was picked up, and moves it once it is measured.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    await page.keyboard.press('ArrowUp')
    await page.getByText(/^Free moved to position 2/).waitFor({ state: 'attached' })
    await page.keyboard.press('Space')
    await expect.poll(codes).toEqual(['pro', 'free', 'team', ...others])
    await act(page, 'Free', 'Move up')
    await expect.poll(codes).toEqual(['free', 'pro', 'team', ...others])
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x + 15, y }],
      })
    await touch('touchStart', from.y + 15)
    for (let y = from.y + 20; y < from.y + 90; y += 10) await touch('touchMove', y)
    await touch('touchEnd')
    await expect.poll(codes).toEqual(['pro', 'free', 'team', ...others])
    await act(page, 'Free', 'Move up')
    await expect.poll(codes).toEqual(before)
  })

  test('a plan is archived and restored, the default one is not, and a form keeps its input on a conflict', async () => {
    const page = await newPage(t, { as: admin, allow: ['412 PATCH /api/v1/admin/plans/team'] })
    await page.goto('/admin/plans')
    await row(page, 'Free').getByText('Default').waitFor()
    await act(page, 'Free', 'Archive')
    const refused = page.getByRole('dialog', { name: 'Free cannot be archived' })
    await refused.getByRole('button', { name: 'Close' }).last().click()
    await waitUntilGone(refused)
    await act(page, 'Team', 'Archive')
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('table', { name: 'Archived' }).getByRole('row', { name: 'Team' }).waitFor()
    expect(await codes()).not.toContain('team')
    await act(page, 'Team', 'Restore')
    await handle(page, 'Team').waitFor()
    expect(await codes()).toContain('team')

    await row(page, 'Team').getByRole('link', { name: 'Team' }).click()
    await page.getByLabel('Description').fill('For crowds')
    expectStatus(await admin.patch('/api/v1/admin/plans/team', { name: 'Crew' }), 200)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Load latest version' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Crew')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await row(page, 'Crew').waitFor()
    expect(await readPlan('team')).toMatchObject({ name: 'Crew', description: 'For crowds' })
  })
})

test('everybody can compare plans by month and year and in both currencies, on a phone and in Turkish', async () => {
  const page = await newPage(t)
  await page.goto('/pricing')
  await card(page, 'Pro').getByText('$15').waitFor()
  await card(page, 'Pro').getByRole('link', { name: 'Create an account' }).waitFor()
  await expect.poll(() => page.getByText(/trial/i).count()).toBe(0)
  await page.getByText('Yearly', { exact: true }).click()
  await card(page, 'Pro').getByText('$150').waitFor()
  await page.getByText('Lira (₺)').click()
  await card(page, 'Pro').getByText('₺4,990').waitFor()
  await page.reload()
  await card(page, 'Pro').getByText('₺4,990').waitFor()
  const cells = page.getByRole('row', { name: /^Scheduled posts/ }).getByRole('cell')
  expect((await cells.allTextContents()).slice(0, 3).sort()).toEqual(['30', '500', 'unlimited'])
  await expectPageAccessible(page, 'pricing')

  const phone = await newPage(t, { ...PHONE, viewport: { width: 375, height: 740 }, locale: 'tr' })
  await phone.goto('/pricing')
  await card(phone, 'Pro').getByText('₺499').waitFor()
  await card(phone, 'Pro').getByText('Denetim kaydı', { exact: true }).waitFor()
  await card(phone, 'Free').getByText('Denemek için').waitFor()
  await expect
    .poll(() =>
      main(phone)
        .getByText(/agent|approval|marketplace/i)
        .count(),
    )
    .toBe(0)
  expect(await phone.evaluate<boolean>('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
  await expectAccessible(phone)
})

test('the plans offer no account where sign-up needs an invitation or is closed', async () => {
  const page = await newPage(t)
  const offers = page.getByRole('link', { name: 'Create an account' })
  for (const [rule, text] of [
    ['invitation', /^Accounts are by invitation only/],
    ['closed', /does not accept new accounts/],
  ] as const) {
    expectStatus(await admin.put('/api/v1/options/auth.sign_up', { value: rule }), 200)
    await page.goto('/pricing')
    await page.getByText(text).waitFor()
    expect(await offers.count()).toBe(0)
    await expectAccessible(page)
  }
})

test('a workspace sees its usage and the plan that would help, and a message when a limit is reached', async () => {
  const owner = await withWorkspace(t)
  const { limits } = await readPlan('free')
  expectStatus(
    await admin.patch('/api/v1/admin/plans/free', {
      limits: { ...limits, social_accounts: 1, scheduled_posts_max: 1, storage_mb: 0 },
    }),
    200,
  )
  const page = await newPage(t, { as: owner, allow: ['403 '] })
  await page.goto(pagePath(owner))
  const usage = page.getByRole('region', { name: 'Usage' })
  await usage.getByText('Posts this month').waitFor()
  await expect.poll(() => usage.getByRole('progressbar').count()).toBe(0)

  expectStatus(await admin.put('/api/v1/options/billing.enabled', { value: true }), 200)
  const account = await playgroundAccount(owner)
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString()
  await newPost(owner, { content: 'Tomorrow', account_ids: [account], scheduled_at })
  await page.reload()
  await usage.getByText(/^The Pro plan includes 15 accounts, 500 scheduled posts/).waitFor()
  await usage.getByRole('progressbar', { name: 'Accounts: 1 of 1' }).waitFor()
  await expectPageAccessible(page, 'overview')
  await usage.getByRole('link', { name: 'View all usage' }).click()
  await usage.getByRole('listitem').filter({ hasText: 'Storage' }).getByText('Not included in this plan').waitFor()
  await expect.poll(() => usage.getByRole('listitem').count()).toBe(6)
  await expectPageAccessible(page, 'settings')
  await page.goto('/pricing')
  await card(page, 'Free').getByText('Your plan').waitFor()

  await visit(page, pagePath(owner, `/posts/new?at=${dayIn('UTC', 2)}%2009:00:00`))
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('One too many')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Limit of scheduled posts reached: 1 of 1' })
  await alert.getByText(/The Pro plan has a higher limit\./).waitFor()
  expect(await alert.getByRole('link', { name: 'Compare plans' }).getAttribute('href')).toBe('/pricing')
})
