import { expect, test } from 'vitest'
import { clearedOrder } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import { testApp } from '../app.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

test('a seller creates a gig, publishes it, pauses it, and deletes it', async () => {
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/marketplace/gigs'))
  await page.getByText('You offer no gigs yet').waitFor()
  await main(page).getByRole('link', { name: 'New gig' }).click()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('Fill in this field.').first().waitFor()
  await expect
    .poll(() => page.getByLabel('Title').evaluate((node) => node === node.ownerDocument.activeElement))
    .toBe(true)
  await page.getByLabel('Title').fill('Ten posts for your café')
  await page.getByRole('textbox', { name: 'Description' }).fill('Ten posts with pictures.')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('Enter a price from 1').waitFor()
  await page.getByRole('textbox', { name: 'Price' }).fill('1499,90')
  await expectPageAccessible(page, 'form')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  const row = page.getByRole('listitem', { name: 'Ten posts for your café' })
  await row.getByText('Draft').waitFor()
  await row.getByRole('button', { name: /^Publish / }).click()
  await row.getByText('Published').waitFor()
  await expectPageAccessible(page, 'list')
  const { body } = expectStatus(await owner.get('/api/v1/marketplace/gigs/mine'), 200)
  expect(body.data).toMatchObject([{ title: 'Ten posts for your café', price: 1499.9, currency: 'TRY' }])
  const visitor = await newPage(t)
  await visitor.goto(body.data[0].url)
  await visitor.getByRole('heading', { name: 'Ten posts for your café' }).waitFor()
  await row.getByRole('button', { name: /^Pause / }).click()
  await row.getByText('Paused').waitFor()
  await row.getByRole('button', { name: /^Delete / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete gig' }).click()
  await page.getByText('You offer no gigs yet').waitFor()
})

test('a seller sets the payout account, requests a payout, downloads the statement, and cancels the payout', async () => {
  const owner = await withWorkspace(t)
  await clearedOrder(t, owner)
  // A seller without a payout account has none to read.
  const page = await newPage(t, { as: owner, allow: ['404 GET /api/v1/marketplace/payout-account'] })
  await page.goto(pagePath(owner, '/marketplace/earnings'))
  await page.getByText('Set your payout account below first.').waitFor()
  await page.getByRole('textbox', { name: 'Account holder' }).fill('Ada Lovelace')
  await page.getByRole('textbox', { name: 'IBAN' }).fill('TR33 0006 1005 1978 6457 8413 26')
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.getByText('TR••••1326').waitFor()
  await page.getByRole('button', { name: 'Request a payout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Request a payout' }).click()
  const payouts = page.getByRole('list', { name: 'Payouts' })
  await payouts.getByText('Requested').waitFor()
  await expectPageAccessible(page, 'earnings')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toBe('statement-TRY.csv')
  await payouts.getByRole('button', { name: 'Cancel payout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payout' }).click()
  await payouts.getByText('Canceled').waitFor()
})
